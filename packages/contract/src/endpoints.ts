import type { Endpoint } from './endpoint.ts'
import * as groups from './groups.ts'

type Group = (typeof groups)[keyof typeof groups]
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
/**
 * The type of every call, by name. It has a name of its own, and the groups are put together by the running program: the
 * compiler would take as long for checking and writing down one object of all calls as for the rest of the contract.
 */
export type AllCalls = Intersection<Group>

const all: unknown = Object.assign({}, ...Object.values<object>(groups))

/**
 * Every call of the product, by name. The server's handlers, the isolation test and the OpenAPI page are derived from it;
 * the console imports the rows it needs from their own files, so that a page carries no more than its own calls.
 */
export const endpoints = all as AllCalls
export type EndpointName = keyof AllCalls
/** The same for code that takes any call, and asks for the types of none. */
export const everyCall = all as Readonly<Record<EndpointName, Endpoint>>
