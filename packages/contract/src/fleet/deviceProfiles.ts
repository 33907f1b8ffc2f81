import { z } from 'zod'
import { deviceProtocols, type DeviceProtocol } from '#contract/fleet/protocols.ts'

/**
 * What differs between makers who speak the same protocol, as data of a vehicle model: which message turns the lock,
 * and what proves that it turned. The gateway reads it when a device signs in.
 */

const byteSchema = z.int().min(0).max(0xff)
const longestText = 200
const longestHex = 400

/** What a JT/T 808 terminal is sent for one kind of command. */
export const jt808OrderSchema = z.discriminatedUnion('by', [
  /** 0x8105, terminal control: a maker's own command word, and what it needs behind it. */
  z.strictObject({
    by: z.literal('terminal_control'),
    command: byteSchema,
    argument: z.string().max(longestText).optional(),
  }),
  /**
   * 0x8500, vehicle control: `flags` is the one byte of 2011 and 2013 (bit 0: 1 locks, 0 unlocks), `controls` the list
   * of 2019 (type 1 is the doors: 0 locks, 1 unlocks; from 0xF001 on they are the maker's). The header of the
   * terminal says which of the two it is sent.
   */
  z.strictObject({
    by: z.literal('vehicle_control'),
    flags: byteSchema,
    controls: z
      .array(z.strictObject({ type: z.int().min(1).max(0xffff), value: byteSchema }))
      .min(1)
      .max(8),
  }),
  /** 0x8300, text, for terminals that obey a text. */
  z.strictObject({ by: z.literal('text'), flags: byteSchema, text: z.string().min(1).max(longestText) }),
  /** 0x8900, bytes that are handed through to what hangs on the terminal. */
  z.strictObject({
    by: z.literal('passthrough'),
    type: byteSchema,
    hex: z
      .string()
      .max(longestHex)
      .regex(/^(?:[0-9a-f]{2})+$/, '须为成对的十六进制数字（小写）'),
  }),
])

/**
 * The weakest word that counts as proof that a lock turned; a stronger one always counts. `answer`: the terminal's
 * general answer (0x0001) says success. `control_answer`: its answer to vehicle control (0x0500), unless its position
 * says otherwise. `lock_state`: a position that says how the lock is.
 */
export const jt808Proofs = ['answer', 'control_answer', 'lock_state'] as const
export type Jt808Proof = (typeof jt808Proofs)[number]
export const jt808ProofLabels: Readonly<Record<Jt808Proof, string>> = {
  answer: '终端通用应答（0001）成功即确认',
  control_answer: '车辆控制应答（0500）或位置中的锁状态',
  lock_state: '位置中的锁状态与指令一致',
}

export const jt808ProfileSchema = z.strictObject({
  protocol: z.literal('jt808'),
  /** `null`: its devices know no such command, and it fails at once with this reason. */
  orders: z.strictObject({
    unlock: jt808OrderSchema,
    lock: jt808OrderSchema,
    ring: jt808OrderSchema.nullable(),
    open_battery: jt808OrderSchema.nullable(),
  }),
  proof: z.enum(jt808Proofs),
  /** The bit of the status word (0x0200) that says how the lock is; `null` where only the platform's own item says it. */
  lockBit: z.strictObject({ bit: z.int().min(0).max(31), lockedWhenSet: z.boolean() }).nullable(),
})
export type Jt808Order = z.output<typeof jt808OrderSchema>
export type Jt808ModelProfile = z.output<typeof jt808ProfileSchema>

export const omniProfileSchema = z.strictObject({
  protocol: z.literal('omni'),
  /** `early`: the first generation, with alarm 3 as low battery and the odometer in hexadecimal digits. */
  dialect: z.enum(['standard', 'early']),
})

type PlainProtocol = Exclude<DeviceProtocol, 'jt808' | 'omni'>
const plainProtocols = deviceProtocols.filter((name): name is PlainProtocol => name !== 'jt808' && name !== 'omni')
/** Of protocols that every maker implements alike. */
const plainProfileSchema = z.strictObject({ protocol: z.enum(plainProtocols) })

export const deviceProfileSchema = z.discriminatedUnion('protocol', [
  jt808ProfileSchema,
  omniProfileSchema,
  plainProfileSchema,
])
export type DeviceProfile = z.output<typeof deviceProfileSchema>
/** A profile that a vehicle model can choose. */
export type ModelProfile = Exclude<DeviceProfile, { protocol: PlainProtocol }>
/** Whether models of the protocol can choose a profile: makers implement it in different ways. */
export const hasModelProfiles = (protocol: DeviceProtocol): boolean => protocol === 'jt808' || protocol === 'omni'

const terminalControl = (command: number) => ({ by: 'terminal_control' as const, command })
const platformOrders = {
  unlock: terminalControl(0xf0),
  lock: terminalControl(0xf1),
  ring: terminalControl(0xf2),
  open_battery: terminalControl(0xf3),
}
const doorControl = (flags: 0 | 1) => ({
  by: 'vehicle_control' as const,
  flags,
  controls: [{ type: 1, value: flags === 1 ? 0 : 1 }],
})

/** Profiles that come with the platform, by the name that a device or a model may carry; a maker's own is data. */
export const builtInProfiles = {
  /** JT/T 808 with the platform's extension: command words 0xF0 to 0xF3, the lock told by additional item 0xF8. */
  standard: { protocol: 'jt808', orders: platformOrders, proof: 'lock_state', lockBit: null },
  /** The same words, but the lock is told by the standard's bit of the doors. */
  doors: {
    protocol: 'jt808',
    orders: platformOrders,
    proof: 'lock_state',
    lockBit: { bit: 12, lockedWhenSet: true },
  },
  /** JT/T 808 and nothing beyond it: the lock is the doors. The standard has no bell and no battery compartment. */
  vehicle_control: {
    protocol: 'jt808',
    orders: { unlock: doorControl(0), lock: doorControl(1), ring: null, open_battery: null },
    proof: 'control_answer',
    lockBit: { bit: 12, lockedWhenSet: true },
  },
} as const satisfies Record<string, Jt808ModelProfile>
export type BuiltInProfile = keyof typeof builtInProfiles

/** What the pages call them. */
export const builtInProfileLabels: Readonly<Record<BuiltInProfile, string>> = {
  standard: '平台扩展（8105 F0–F3，附加项 F8）',
  doors: '平台扩展（8105 F0–F3，车门状态位）',
  vehicle_control: 'JT/T 808 标准车辆控制（8500/0500）',
}

export const omniDialectLabels = { standard: 'Omni 标准', early: 'Omni 第一代' } as const

/** What a profile is called: one that comes with the platform by its name, any other `custom`. */
export function profileNameOf(profile: DeviceProfile): BuiltInProfile | 'early' | 'custom' {
  if (profile.protocol === 'omni') return profile.dialect
  if (profile.protocol !== 'jt808') return 'standard'
  const isSame = (known: Jt808ModelProfile): boolean => canonical(known) === canonical(profile)
  return (Object.keys(builtInProfiles) as BuiltInProfile[]).find((each) => isSame(builtInProfiles[each])) ?? 'custom'
}

/** The schema puts the fields in its own order, however they were stored. */
const canonical = (profile: Jt808ModelProfile): string => JSON.stringify(jt808ProfileSchema.parse(profile))

const hexOf = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

/** An order as those who know the protocol write it, in any language: message, word, argument. */
export function orderText(order: Jt808Order): string {
  switch (order.by) {
    case 'terminal_control':
      return `8105 ${hexOf(order.command, 2)}${order.argument === undefined ? '' : ` ${order.argument}`}`
    case 'vehicle_control': {
      const controls = order.controls.map(({ type, value }) => `${hexOf(type, 4)}=${hexOf(value, 2)}`)
      return `8500 ${hexOf(order.flags, 2)} / ${controls.join(' ')}`
    }
    case 'text':
      return `8300 ${hexOf(order.flags, 2)} “${order.text}”`
    case 'passthrough':
      return `8900 ${hexOf(order.type, 2)} ${order.hex.toUpperCase()}`
  }
}

/** The profile of a device whose model has none of its own. */
export function profileOf(options: { protocol: DeviceProtocol; name: string }): DeviceProfile {
  const { protocol, name } = options
  if (protocol === 'omni') return { protocol, dialect: name === 'early' ? 'early' : 'standard' }
  if (protocol !== 'jt808') return { protocol }
  const known = Object.hasOwn(builtInProfiles, name) ? builtInProfiles[name as BuiltInProfile] : undefined
  return known ?? builtInProfiles.standard
}
