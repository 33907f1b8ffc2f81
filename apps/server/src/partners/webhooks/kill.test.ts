import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import { leaseMs } from './send.ts'
import { receiver, webhookWorld } from './webhooks.fixture.ts'

const { url, kit, partners, create, setState, shown } = await webhookWorld()
const { heard, state, url: hook } = await receiver()
const script = fileURLToPath(new URL('killed.fixture.ts', import.meta.url))

const changes = 120
const kills = 4

it('servers that are killed lose no message, and keep the order of each thing', async () => {
  const { id } = await create(hook, ['vehicle'])
  const { fraction } = createSeededRandom(7)
  const told = { first: [] as string[], second: [] as string[] }
  let made = 0
  /** Both vehicles change their state by turns; each value is noted. */
  const change = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step += 1, made += 1) {
      const which = made % 2 === 0 ? 'first' : 'second'
      const value = ['available', 'elsewhere', 'non_operational', 'removed'][Math.floor(made / 2 + 1) % 4] ?? ''
      await setState(which === 'first' ? 0 : 1, value)
      told[which].push(value)
    }
  }
  await change(changes)
  let killed = 0
  for (let round = 0; round < kills; round += 1) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, url, String(kit.clock.now())],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const ended = once(child, 'exit')
    let left = 1 + Math.floor(fraction() * (changes / kills / 2))
    state.answer = (response) => {
      left -= 1
      // It is killed before the answer: the message has come, and the server does not know.
      if (left === 0 && child.kill('SIGKILL')) killed += 1
      else response.writeHead(200).end()
    }
    await ended
    kit.clock.advance(leaseMs)
    await change(2)
  }
  expect(killed).toBe(kills)
  state.answer = (response) => response.writeHead(200).end()
  while ((await partners.send()) > 0);
  expect(await shown(id)).toMatchObject({ waiting: 0, failed: 0, sent: made })
  const known = new Map(heard.map((message) => [message.delivery, message]))
  expect(known.size).toBe(made)
  expect(heard.length).toBeGreaterThan(made)
  const firsts = [...known.values()]
  const subjects = [...new Set(firsts.map(({ subject }) => subject))]
  const heardOf = subjects.map((subject) =>
    firsts.filter((message) => message.subject === subject).map(({ data }) => data['state']),
  )
  expect(heardOf).toEqual([told.first, told.second])
}, 120_000)
