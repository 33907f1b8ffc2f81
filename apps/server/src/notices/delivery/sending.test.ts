import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { noticeSettingDefaults, settingLimits } from '@saddle/contract/notices/config.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { RefusedError, signatureOf } from '#kit/webhook.ts'
import type { Outgoing } from '../channels/channel.ts'
import { createWebhookChannel } from '../channels/webhook.ts'
import { boss, branch, company, manager, noticeWorld, openPhone, refusal } from '../notices.fixture.ts'
import { createNotices } from '../public.ts'
import { isLong, thorough } from '../../../../../scripts/lib/thorough.mjs'

const world = await noticeWorld()
const { owner, url, dataDir, kit, audit, sent, line, notices, handlers, call, withdrawal, say, deliveries, email } =
  world

describe('sending', () => {
  it('is tried again with longer pauses, ends at a refusal, and can be begun anew', async () => {
    await email(manager)
    line.fault = () => new Error('down')
    await say(withdrawal(1))
    await notices.spread()
    const state = async () => (await deliveries()).find((row) => row.channel === 'email' && row.operator_id === manager)
    expect(await notices.send()).toBe(1)
    expect(await state()).toMatchObject({ state: 'queued', reason: 'no_answer', attempts: 1 })
    expect(await notices.send()).toBe(0)
    kit.clock.advance(minuteMs)
    line.fault = () => new RefusedError('no such person')
    await notices.send()
    expect(await state()).toMatchObject({ state: 'failed', reason: 'refused', attempts: 2 })
    line.fault = null
    const { data } = await handlers.listDeliveries(
      { filter: { states: ['failed'] }, sort: 'at', pageSize: 50 } as never,
      call(manager, company),
    )
    const ids = (data.list as { id: number }[]).map(({ id }) => id)
    expect(await refusal(handlers.resendDeliveries({ ids }, call(boss, branch)))).toBe('not_found')
    await handlers.resendDeliveries({ ids }, call(manager, company))
    await notices.send()
    expect(await state()).toMatchObject({ state: 'sent', reason: null })
    expect(sent).toMatchObject([{ title: '提现失败：¥1234.56', to: 'p30@example.com' }])
  })

  it('a webhook is signed, and never leads into a private network', async () => {
    const heard: { headers: Record<string, unknown>; text: string }[] = []
    let status = 200
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        heard.push({ headers: request.headers, text })
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    afterAll(() => server.close())
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const message = {
      id: '7',
      to: JSON.stringify({ url: target, secret: 'key' }),
      title: 't',
      body: 'b',
      path: '/x',
      event: 'alarm_serious',
      atMs: 5_000,
      nowMs: 9_000,
    }
    await createWebhookChannel({ isLocalAllowed: true }).send(message)
    expect(heard[0]?.headers['saddle-delivery']).toBe('7')
    expect(heard[0]?.headers['saddle-signature']).toBe(`t=9,v1=${signatureOf('key', 9, heard[0]?.text ?? '')}`)
    status = 410
    await expect(createWebhookChannel({ isLocalAllowed: true }).send(message)).rejects.toBeInstanceOf(RefusedError)
    await expect(createWebhookChannel({ isLocalAllowed: false }).send(message)).rejects.toBeInstanceOf(RefusedError)
    for (const address of ['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/x']) {
      const to = JSON.stringify({ url: address, secret: 'key' })
      await expect(createWebhookChannel({ isLocalAllowed: false }).send({ ...message, to })).rejects.toBeInstanceOf(
        RefusedError,
      )
      const setting = { ...noticeSettingDefaults, webhookUrl: address, version: 0 }
      expect(await refusal(handlers.saveNoticeSetting(setting, call(manager, company)))).toBe('webhook_private')
    }
    expect(heard).toHaveLength(2)
  })

  it('a company is told at its own webhook', async () => {
    const setting = { ...noticeSettingDefaults, webhookUrl: 'https://example.com/hook', version: 0 }
    const { data } = await handlers.saveNoticeSetting(setting, call(manager, company))
    expect(data.webhookSecret).toHaveLength(43)
    const rule = { channels: ['webhook' as const], roleIds: null, isUrgent: false, repeatMinutes: 0 }
    await handlers.saveNoticeRule({ event: 'withdrawal_failed', ...rule, version: 0 }, call(manager, company))
    await say(withdrawal(1))
    await notices.spread()
    await notices.send()
    expect(sent).toMatchObject([{ channel: 'webhook', event: 'withdrawal_failed' }])
    expect(JSON.parse(sent[0]?.to ?? '')).toEqual({ url: 'https://example.com/hook', secret: data.webhookSecret })
    const shown = await handlers.noticeSetting({}, call(manager, company))
    expect(shown.data).toMatchObject({ webhookUrl: 'https://example.com/hook', source: 'own', version: 1 })
  })
})

it('none is lost or doubled when the server is killed at random moments', async () => {
  const rounds = thorough({ normal: 4, long: 40, full: 100 })
  // A person gets no more than the highest cap of a day allows.
  const perRound = isLong ? settingLimits.emailCapMax / rounds : 60
  await email(manager)
  const setting = { ...noticeSettingDefaults, quietFrom: 0, quietTo: 0, emailCap: settingLimits.emailCapMax }
  const now = kit.clock.now()
  await handlers.saveNoticeSetting({ ...setting, version: 0 }, call(manager, company))
  const script = fileURLToPath(import.meta.resolve('#test/deliverNotices.ts'))
  let total = 0
  for (let round = 0; round < rounds; round += 1) {
    const batch = Array.from({ length: perRound }, (_, index) => withdrawal(10_000 + round * perRound + index))
    await say(...batch)
    total += perRound
    // What the child held when it was killed is free after its lease.
    const at = now + round * 10 * minuteMs
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(at), dataDir], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const wanted = (kit.random.bytes(1)[0]! % perRound) + round * perRound
    await expect
      .poll(
        async () =>
          (
            await owner
              .selectFrom('notice_delivery')
              .select('id')
              .where('state', '=', 'sent')
              .where('channel', '=', 'email')
              .execute()
          ).length,
        { timeout: 60_000, interval: 5 },
      )
      .toBeGreaterThanOrEqual(wanted)
    child.kill('SIGKILL')
    await ended
  }
  kit.clock.set(now + rounds * 10 * minuteMs)
  const rest = createNotices(kit, { audit, openPhone, sendText: null })
  await rest.spread()
  while ((await rest.send()) > 0);
  const mails = await owner
    .selectFrom('notice_delivery')
    .select(['id', 'state'])
    .where('channel', '=', 'email')
    .where('operator_id', '=', manager)
    .execute()
  expect(mails).toHaveLength(total)
  expect(mails.every(({ state }) => state === 'sent')).toBe(true)
  const files = readdirSync(join(dataDir, 'outbox', 'notices')).filter((file) => file.startsWith('email-'))
  expect(files).toHaveLength(total)
  const numbers = files.map(
    (file) => (JSON.parse(readFileSync(join(dataDir, 'outbox/notices', file), 'utf8')) as Outgoing).body,
  )
  expect(new Set(numbers).size).toBe(total)
}, 900_000)
