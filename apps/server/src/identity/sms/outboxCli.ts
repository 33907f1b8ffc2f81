import { phonePattern } from '@saddle/contract/constants.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { outboxFile, readOutbox } from './outbox.ts'

/** `npm run --silent outbox -- <phone>`: prints the newest code that the local outbox holds for a phone. */
export async function latestCode(options: { dataDir: string; phone: string; nowMs: number }): Promise<string> {
  const { dataDir, phone, nowMs } = options
  if (!phonePattern.test(phone)) throw new Error('usage: npm run --silent outbox -- <11-digit phone>')
  const line = (await readOutbox(outboxFile(dataDir))).findLast((row) => row.phone === phone)
  if (line === undefined)
    throw new Error(`no message for ${phone}: unknown numbers are answered alike but get no message`)
  if (line.sentAt + line.ttlMinutes * minuteMs < nowMs)
    throw new Error(`the code for ${phone} has expired, ask for a new one`)
  return line.code
}

if (import.meta.main) {
  try {
    const phone = process.argv[2] ?? ''
    console.log(await latestCode({ dataDir: process.env['DATA_DIR'] ?? './data', phone, nowMs: Date.now() }))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
