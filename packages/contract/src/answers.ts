import { z } from 'zod'

/** `{suc: true, data}`: the usual answer. */
export const answerOf = <T extends z.core.$ZodType>(data: T) => z.object({ suc: z.literal(true), data })

/** `{success: true, data}`: answers of the finance host. */
export const financeAnswerOf = <T extends z.core.$ZodType>(data: T) => z.object({ success: z.literal(true), data })

/** Text of an input that is stored or searched for. PostgreSQL takes no NUL, so it is refused before it gets there. */
// oxlint-disable-next-line no-control-regex -- the control character is what is looked for
export const plainTextSchema = z.string().regex(/^[^\0]*$/, { error: '含有无法保存的字符' })
/** What stands on the screen, without the invisible characters that spreadsheets, chats and older files put in between. */
export const visibleText = (text: string): string => text.replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '').trim()
/** Text that is looked for. */
export const searchTextSchema = plainTextSchema.overwrite(visibleText)
/** An id in an answer; unlike `idSchema` it takes no text, so that a handler cannot answer with anything else. */
export const answeredIdSchema = z.int().positive()
/** An id in an input, where a query string makes it text. */
export const idSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
/** The last one whose year has four digits: dates are stored and compared as text with such years. */
const instantMaxMs = 253_402_300_799_999
/** Instants travel as milliseconds since 1970, UTC. */
export const instantSchema = z.int().nonnegative().max(instantMaxMs)
/** Degrees, WGS-84. */
export const lngSchema = z.number().min(-180).max(180)
export const latSchema = z.number().min(-90).max(90)
/** Counts how often a thing was changed; the next one is stored in four bytes too. */
export const versionSchema = z.int().min(1).max(2_147_483_646)
export const none = z.object({})
