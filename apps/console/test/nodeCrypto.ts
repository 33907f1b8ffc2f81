import { randomBytes } from 'node:crypto'
import { testCrypto } from '@saddle/contract/wire/testCrypto.fixture.ts'

/** The wire's primitives by node:crypto, for the platform that tests of the console talk to. */
export const nodeCrypto = testCrypto((length) => new Uint8Array(randomBytes(length)))
