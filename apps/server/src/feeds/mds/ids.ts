import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'

/** What has an id in MDS, and what that id is made of. */
export type MdsThing = 'device' | 'event' | 'trip' | 'telemetry' | 'stop'

const textOf = (agentId: number, thing: MdsThing, id: number | string): string => `saddle mds ${agentId} ${thing} ${id}`

/** The UUID (version 8, RFC 9562) of a thing: the same in every answer and every installation that has the company's rows. */
export function mdsId(agentId: number, thing: MdsThing, id: number | string): string {
  const bytes = createHash('sha256')
    .update(textOf(agentId, thing, id))
    .digest()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** The condition that the id of a column makes an UUID, by its first 48 bits: whoever reads the rows compares the whole. */
export function mdsIdFilter(
  thing: MdsThing,
  { agentId, column, uuid }: { readonly agentId: number; readonly column: RawBuilder<unknown>; readonly uuid: string },
): RawBuilder<boolean> {
  const prefix = uuid.toLowerCase().replaceAll('-', '').slice(0, 12)
  return sql`left(encode(sha256(convert_to(${textOf(agentId, thing, '')} || ${column}, 'UTF8')), 'hex'), 12) = ${prefix}`
}
