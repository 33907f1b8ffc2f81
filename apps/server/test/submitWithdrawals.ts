// Submits what a company has filed, confirms what waits, sends it and asks for it, until it is done or killed. For the test
// that kills it: `node submitWithdrawals.ts <company>`, with the bank in the environment. It begins when a line on standard input
// says what time it is, so that loading the server is over by then.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { createAudit } from '#audit/public.ts'
import { createBankAdapter } from '#finance/bank/adapter.ts'
import { createLedger } from '#finance/ledger/ledger.ts'
import { sendOverHttps } from '#finance/payments/channel.ts'
import { submitAll } from '#finance/withdrawals/submitAll.fixture.ts'
import { createWithdrawalHandlers } from '#finance/withdrawals/handlers.ts'
import { createWithdrawals } from '#finance/withdrawals/withdrawals.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { testKit } from './kit.ts'

const { DATABASE_URL = '', BANK_URL = '', BANK_MEMBER = '', BANK_OWN_KEY = '', BANK_OTHER_KEY = '' } = process.env
const db = openDatabase({ url: DATABASE_URL, log: silentLog, systemConnections: 2 })
const kit = testKit(db)
const keys = { own: createPrivateKey(BANK_OWN_KEY), other: createPublicKey(BANK_OTHER_KEY) }
const bank = createBankAdapter({
  ...kit,
  send: sendOverHttps,
  memberId: BANK_MEMBER,
  url: () => BANK_URL,
  keys: () => keys,
})
const parts = { kit, audit: createAudit(kit), ledger: createLedger(kit), bank }
const withdrawals = createWithdrawals(parts)
const handlers = createWithdrawalHandlers({ ...parts, withdrawals })
const [line] = (await once(process.stdin, 'data')) as [Buffer]
process.stdin.destroy()
kit.clock.set(Number(line.toString('utf8')))
process.stdout.write('begun\n')
await submitAll({ db, handlers, withdrawals }, Number(process.argv[2]))
await parts.ledger.close()
await db.close()
