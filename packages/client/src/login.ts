import { loginEndpoints, type LoginData } from '@saddle/contract/identity/login.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import type { Client } from './client.ts'
import { beginKeyExchange } from './keyExchange.ts'

export interface LoginOptions {
  readonly client: Pick<Client, 'call'>
  readonly phone: string
  /** The server's public key, base64url; `serverKeyOf` finds it. */
  readonly serverKey: string
  /** Finds the code that was sent to the phone. */
  readonly readCode: (phone: string) => string | undefined | Promise<string>
  readonly now: () => number
}

/** The whole login of somebody who has one account, for programs: code, ticket, session, keys. */
export async function logIn(options: LoginOptions): Promise<{ readonly data: LoginData; readonly keys: SessionKeys }> {
  const { client, phone, serverKey, readCode, now } = options
  await client.call(loginEndpoints.requestSmsCode, { mobilePhoneNumber: phone })
  const smsCode = (await readCode(phone)) ?? ''
  await client.call(loginEndpoints.verifySmsCode, { mobilePhoneNumber: phone, smsCode })
  const found = await client.call(loginEndpoints.lookUpOperator, { phone })
  const { data } = await client.call(loginEndpoints.permissionLogin, { opManId: found.data.opManId })
  return { data, keys: await exchangeKeys({ client, serverKey, sessionHandle: data.accessToken, issuedAtMs: now() }) }
}

/** Asks for the keys of a session that has just begun. */
export async function exchangeKeys(options: {
  readonly client: Pick<Client, 'call'>
  readonly serverKey: string
  readonly sessionHandle: string
  /** By the server's clock. */
  readonly issuedAtMs: number
}): Promise<SessionKeys> {
  const exchange = await beginKeyExchange(options)
  const answer = await options.client.call(loginEndpoints.signingKey, { params: exchange.params })
  return exchange.open(answer.data.aesKey)
}

/** The public key that a page of the console carries; '' where there is none. */
export const serverKeyOf = (page: string): string => /"serverKey":"([^"]+)"/.exec(page)?.[1] ?? ''
