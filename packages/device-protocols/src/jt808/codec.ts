/** The public part of the JT/T 808 codec: what gateway, simulator and tools use. */
export { createJt808Splitter, openJt808Frame, jt808MaxContentLength, type Jt808Splitter } from './frames.ts'
export {
  readJt808Packet,
  writeJt808Part,
  type Jt808Head,
  type Jt808HeaderVersion,
  type Jt808Packet,
} from './packets.ts'
export {
  createJt808Reassembler,
  jt808ReassemblyLimits,
  type Jt808Reassembler,
  type Jt808ReassemblyLimits,
} from './reassembly.ts'
export { decodeJt808 } from './decode.ts'
export { encodeJt808ToPlatform, type Jt808EncodeOptions } from './encode.ts'
export { decodeJt808Command, encodeJt808ToDevice } from './commands.ts'
export { readJt808Upgrade, writeJt808Upgrade, type Jt808Upgrade } from './upgrade.ts'
export { toReports } from './to-report.ts'
export { jt808Profiles, type Jt808Profile } from './profile.ts'
export { jt808ParameterIds, jt808ParameterKind } from './parameters.ts'
export {
  jt808BikeControl,
  jt808Control,
  jt808DownIds,
  jt808Registration,
  jt808Result,
  jt808Status,
  jt808UpIds,
  jt808UpgradeResult,
  jt808UpgradeType,
  type Jt808BikeItem,
  type Jt808Body,
  type Jt808Command,
  type Jt808CommandBody,
  type Jt808CommandOf,
  type Jt808Item,
  type Jt808Message,
  type Jt808MessageOf,
  type Jt808Parameter,
  type Jt808Position,
} from './messages.ts'
