import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError, isFinanceHost } from '#kit/config.ts'
import type { Kit } from '#kit/kit.ts'
import { sendOverHttps } from '../payments/channel.ts'
import { createBankAdapter } from './adapter.ts'
import type { Bank } from './provider.ts'
import { createSandboxBank, type SandboxAccount, type SandboxBank } from './sandbox/bank.ts'
import { createFileJournal } from './sandbox/journal.ts'
import { createFileKeys, readSandboxLine, sandboxLineFile, writeSandboxLine } from './sandbox/line.ts'
import { createSandboxServer, sandboxMember, type SandboxServer } from './sandbox/server.ts'

const pem = z.string().includes('-----BEGIN ')
const fileSchema = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  memberId: z.string().min(1).max(40),
  /** Ours: signs requests, opens answers. */
  privateKey: pem,
  /** The bank's: proves answers and notices, closes requests. */
  bankKey: pem,
})

/** The sandbox bank with the server that speaks for it. */
export type BankSandbox = Pick<SandboxBank, 'counter' | 'messages' | 'setMood'> &
  Pick<SandboxServer, 'serve' | 'sendNotices'>

export type ConfiguredBank = {
  /** Null: none is configured. */
  readonly bank: Bank | null
  /** In demo mode where no real bank is configured. */
  readonly sandbox: BankSandbox | null
  /** Where this platform is: from now on both sides of the sandbox speak over HTTP. */
  listensAt(url: string): void
  /** Lets the sandbox know an account and a bound card of the demo's past; null without a sandbox. */
  adopt(account: SandboxAccount): Promise<string | null>
}

/** The bank that BANK_FILE names, or the sandbox of a demo. Throws ConfigError, which never repeats what is in a file. */
export function configuredBank({ config, clock, random }: Pick<Kit, 'config' | 'clock' | 'random'>): ConfiguredBank {
  if (config.bankFile !== undefined) {
    const { url, memberId, ...pems } = readFile(config.bankFile)
    const keys = { own: createPrivateKey(pems.privateKey), other: createPublicKey(pems.bankKey) }
    const send = sendOverHttps
    const bank = createBankAdapter({ clock, random, send, memberId, url: () => url, keys: () => keys })
    return { bank, sandbox: null, listensAt: () => {}, adopt: () => Promise.resolve(null) }
  }
  if (!config.demo) return { bank: null, sandbox: null, listensAt: () => {}, adopt: () => Promise.resolve(null) }
  if (isFinanceHost(config)) return sandboxElsewhere({ config, clock, random })
  const lineFile = sandboxLineFile(config.dataDir)
  let address: string | null = null
  const base = (): string => {
    if (address === null) throw new Error('the sandbox bank is reached when the platform listens')
    return address
  }
  const keys = createFileKeys(lineFile)
  const sandbox = createSandboxBank({
    clock,
    random,
    journal: createFileJournal(join(config.dataDir, 'sandbox-bank.jsonl')),
    pagesAt: () => `${config.publicUrl ?? base()}/sandbox/bank`,
  })
  const server = createSandboxServer({
    clock,
    random,
    bank: sandbox,
    keys: keys.bank,
    deliver: async (body) => {
      const headers = { 'content-type': 'application/json' }
      return (await sendOverHttps({ method: 'POST', url: `${base()}/pay/notice/bank`, headers, body })).status === 200
    },
  })
  const bank = createBankAdapter({
    clock,
    random,
    send: sendOverHttps,
    memberId: server.memberId,
    url: () => `${base()}/sandbox/bank/api`,
    keys: keys.platform,
  })
  return {
    bank,
    sandbox: { ...server, counter: sandbox.counter, messages: sandbox.messages, setMood: sandbox.setMood },
    listensAt: (url) => {
      address = url
      writeSandboxLine(lineFile, { url, keys })
    },
    adopt: (account) => Promise.resolve(sandbox.adopt(account)),
  }
}

/** On a finance host of a demo the sandbox bank is that of the server, which wrote down where it is. */
function sandboxElsewhere({ config, clock, random }: Pick<Kit, 'config' | 'clock' | 'random'>): ConfiguredBank {
  const line = readSandboxLine(sandboxLineFile(config.dataDir))
  const bank = createBankAdapter({
    clock,
    random,
    send: sendOverHttps,
    memberId: sandboxMember,
    url: () => `${line().url}/sandbox/bank/api`,
    keys: () => line().keys,
  })
  return { bank, sandbox: null, listensAt: () => {}, adopt: () => Promise.resolve(null) }
}

function readFile(file: string): z.output<typeof fileSchema> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new ConfigError('Configuration: BANK_FILE is no readable JSON file')
  }
  const parsed = fileSchema.safeParse(content)
  if (parsed.success) return parsed.data
  const names = new Set(parsed.error.issues.map((issue) => issue.path.join('.') || issue.code))
  throw new ConfigError(`Configuration: BANK_FILE: wrong or missing ${[...names].join(', ')}`)
}
