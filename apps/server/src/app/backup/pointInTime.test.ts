import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { migrate } from '#kit/db/migrate.ts'
import { silentLog } from '#kit/log.ts'
import { chooseAccount } from '#kit/postgres/account.ts'
import { freePort } from '#test/freePort.ts'

// `apt-get install postgresql`: what it does is what is tested, so nothing stands in for it.
const programs = '/usr/lib/postgresql'
const [newest] = listed(programs).toSorted((a, b) => Number(b) - Number(a))
const isInstalled = newest !== undefined && listed(join(programs, newest, 'bin')).includes('pg_basebackup')
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const account = chooseAccount()
const folder = mkdtempSync(join(tmpdir(), 'saddle-moment-'))
const place = (name: string): string => join(folder, name)
const own = (path: string): void => (account === null ? undefined : chownSync(path, account.uid, account.gid))
const running: string[] = []
afterAll(() => {
  for (const data of running) run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
  rmSync(folder, { recursive: true, force: true })
})

function listed(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Runs a program of PostgreSQL under its account. */
function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(programs, newest ?? '', 'bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

async function start(data: string): Promise<string> {
  const port = await freePort()
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  run('pg_ctl', ['-D', data, '-l', `${data}.log`, '-o', options, '-w', 'start'])
  running.push(data)
  return `postgresql://postgres@127.0.0.1:${port}/postgres`
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** The command of deploy/, for a folder of the test. */
function archiveCommand(): string {
  const settings = readFileSync(file('../../../../../deploy/patroni/patroni.yml'), 'utf8')
  const command = /^ +archive_command: (.+)$/m.exec(settings)?.[1]
  if (command === undefined) throw new Error('deploy/patroni/patroni.yml has no archive_command')
  return command.replaceAll('/mnt/wal', place('wal'))
}

it.skipIf(!isInstalled)('a base backup and the kept log go back to a moment, as operations.md says', async () => {
  own(folder)
  mkdirSync(place('wal'))
  own(place('wal'))
  const [first, base] = [place('first'), place('base')]
  run('initdb', ['-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
  appendFileSync(
    join(first, 'postgresql.conf'),
    `archive_mode = on\narchive_command = '${archiveCommand()}'\nfsync = off\n`,
  )
  const url = await start(first)
  await migrate({ url, log: silentLog })
  const port = new URL(url).port
  run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    port,
    '-U',
    'postgres',
    '-D',
    base,
    '--checkpoint=fast',
    '--wal-method=stream',
  ])
  await ask(url, `insert into agent (id, parent_id, company) values (1, null, 'kept')`)
  const [moment] = await ask(url, 'select pg_sleep(0.05), clock_timestamp()::text as at')
  await ask(url, `select pg_sleep(0.05)`)
  await ask(url, `update agent set company = 'a mistake'`)
  const [{ file: last } = {}] = await ask(url, 'select pg_walfile_name(pg_switch_wal()) as file')
  await expect.poll(() => readdirSync(place('wal'))).toContain(last)
  run('pg_ctl', ['-D', first, '-m', 'fast', 'stop'])
  running.pop()

  appendFileSync(
    join(base, 'postgresql.auto.conf'),
    `restore_command = 'cp ${place('wal')}/%f %p'\nrecovery_target_time = '${String(moment?.['at'])}'\nrecovery_target_action = 'promote'\n`,
  )
  writeFileSync(join(base, 'recovery.signal'), '')
  own(join(base, 'recovery.signal'))
  const restored = await start(base)
  await expect.poll(() => ask(restored, 'select pg_is_in_recovery() as waits')).toEqual([{ waits: false }])
  expect(await ask(restored, 'select company from agent')).toEqual([{ company: 'kept' }])
  const proof = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', file('../ledgerVerifyCli.ts')], {
    env: { ...process.env, DATABASE_URL: restored, DATA_DIR: folder },
    encoding: 'utf8',
  })
  expect(proof.stdout).toMatch(/sound\n$/)
})
