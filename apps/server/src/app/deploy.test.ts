import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createLocalBus } from '#kit/bus.ts'
import { describeConfig } from '#kit/config.ts'
import { silentLog } from '#kit/log.ts'
import { createMetrics } from '#kit/metrics.ts'
import { createTelemetryMetrics } from '#telemetry/metrics.ts'
import { freePort } from '#test/freePort.ts'
import { createCallMetrics } from './callMetrics.ts'
import { createClusterMetrics } from './clusterMetrics.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const deploy = join(root, 'deploy')
const textOf = (...path: string[]): string => readFileSync(join(deploy, ...path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'saddle-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What ends the check of a file by its own tool; null where the tool is not installed, if it may be missing. */
function faultsBy(command: string, words: readonly string[], env: Record<string, string> = {}): string | null {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (error !== undefined) {
    if (process.env['DEPLOY_TOOLS'] === 'required')
      throw new Error(`${command} is not installed: .github/workflows/ci.yml does it`)
    return null
  }
  return status === 0 ? '' : `${stdout}${stderr}`
}

const metricNames = (): Set<string> => {
  const registry = createMetrics({ withProcess: true })
  createTelemetryMetrics(registry)
  createCallMetrics(registry)
  createClusterMetrics(registry, { bus: createLocalBus({ log: silentLog }), db: { readLagSeconds: async () => null } })
  return new Set(
    registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .concat(bookGauges),
  )
}
const bookGauges = ['saddle_books_faults', 'saddle_books_entries']
/** Names of figures in expressions, without what Prometheus adds to a histogram; `up` is Prometheus' own. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/\b((?:saddle|nodejs|process)_[a-z0-9_]+)/g)].map(([, name = '']) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  )

const haproxyFiles = readdirSync(join(deploy, 'haproxy'))

describe('rules and board', () => {
  it('ask for figures that the server has', () => {
    const board = JSON.parse(textOf('grafana', 'saddle.json')) as {
      panels: { targets: { expr: string }[]; title: string }[]
    }
    expect(new Set(board.panels.map(({ title }) => title)).size).toBe(board.panels.length)
    const asked = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    const rules = textOf('prometheus', 'rules.yml')
    const known = metricNames()
    const unknown = [...namedIn(asked), ...namedIn(rules)].filter((name) => !known.has(name))
    expect(unknown).toEqual([])
    expect(namedIn(rules).length).toBeGreaterThan(10)
  })

  it('pass promtool', (context) => {
    const faults = faultsBy('promtool', ['check', 'rules', join(deploy, 'prometheus', 'rules.yml')])
    if (faults === null) return context.skip('promtool is not installed')
    expect(faults).toBe('')
    expect(
      faultsBy('promtool', ['check', 'config', '--syntax-only', join(deploy, 'prometheus', 'prometheus.yml')]),
    ).toBe('')
  })
})

describe('units, images and settings', () => {
  const known = new Set(describeConfig().map(({ name }) => name))
  /** Read by others than the server. */
  const others = new Set(['TMPDIR', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])
  const assigned = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

  it('name settings that there are', () => {
    const units = readdirSync(join(deploy, 'systemd')).map((name) => textOf('systemd', name))
    const names = [
      ...units.flatMap((text) => assigned(text, /^(?:Environment=)?([A-Z][A-Z0-9_]+)=/gm)),
      ...assigned(textOf('container', 'compose.yaml'), /\b([A-Z][A-Z0-9_]+): /g),
      ...assigned(textOf('container', 'Containerfile'), /\b([A-Z][A-Z0-9_]+)=/g),
      ...haproxyFiles.flatMap((name) => assigned(textOf('haproxy', name), /\b(DATABASE_[A-Z_]+|GATEWAY_[A-Z_]+)\b/g)),
      ...assigned(textOf('pgbouncer', 'pgbouncer.ini'), /\b(DATABASE_[A-Z_]+)\b/g),
    ]
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !known.has(name) && !others.has(name) && name !== 'NODE_ENV')).toEqual([])
  })

  it('pass docker compose', (context) => {
    const text = textOf('container', 'compose.yaml')
    const isPlugin = spawnSync('docker', ['compose', 'version']).status === 0
    const [command, words] = isPlugin ? ['docker', ['compose']] : ['docker-compose', []]
    const file = join(folder, 'compose.yaml')
    // The first version takes the project's name from its folder alone.
    writeFileSync(file, isPlugin ? text : text.replace(/^name: .*$/m, ''))
    const wanted = [...text.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => [name, 'given'])
    const faults = faultsBy(command, [...words, '-f', file, 'config', '-q'], Object.fromEntries(wanted))
    if (faults === null) return context.skip('docker compose is not installed')
    expect(faults).toBe('')
  })

  it('pass systemd-analyze', (context) => {
    const units = readdirSync(join(deploy, 'systemd')).filter((name) => !name.endsWith('.env'))
    for (const name of units)
      // The tool looks whether the program is there, and it is in this clone.
      writeFileSync(join(folder, name), textOf('systemd', name).replaceAll('/opt/saddle/', root.replace(/\/*$/, '/')))
    const instances = units.map((name) => join(folder, name.replace('@.', '@api.')))
    const faults = faultsBy('systemd-analyze', ['verify', '--man=no', ...instances])
    if (faults === null) return context.skip('systemd-analyze is not installed')
    expect(faults).toBe('')
  })
})

describe('what stands in front', () => {
  it('passes haproxy, each file and both as one', (context) => {
    const both = join(folder, 'haproxy.cfg')
    writeFileSync(both, ['database.cfg', 'vehicles.cfg'].map((name) => textOf('haproxy', name)).join(''))
    for (const file of [...haproxyFiles.map((name) => join(deploy, 'haproxy', name)), both]) {
      const faults = faultsBy('haproxy', ['-c', '-f', file])
      if (faults === null) return context.skip('haproxy is not installed')
      expect(faults).toBe('')
    }
  })

  it('passes keepalived', (context) => {
    const file = join(folder, 'keepalived.conf')
    // It refuses scripts of an account that it cannot become.
    const text = textOf('keepalived', 'keepalived.conf').replace(
      'script_user root',
      `script_user ${userInfo().username}`,
    )
    writeFileSync(file, text)
    const faults = faultsBy('keepalived', ['-t', '-f', file])
    if (faults === null) return context.skip('keepalived is not installed')
    expect(faults).toBe('')
  })

  it('leads to ports that the roles have', () => {
    const settings = (role: string): Record<string, string> =>
      Object.fromEntries(
        textOf('systemd', `${role}.env`)
          .split('\n')
          .filter((line) => /^[A-Z]/.test(line))
          .map((line) => line.split('=', 2)),
      )
    const [api, gateway, worker] = ['api', 'gateway', 'worker'].map(settings)
    const metrics = [...textOf('nginx', 'metrics.conf').matchAll(/127\.0\.0\.1:(\d+);/g)].map(([, port]) => port)
    expect(metrics).toEqual([api?.['PORT'], gateway?.['PORT'], worker?.['PORT']])
    expect(textOf('nginx', 'saddle.conf')).toMatch(new RegExp(`server [\\d.]+:${api?.['PORT']} `))
    const led = [...textOf('haproxy', 'vehicles.cfg').matchAll(/ server gateway\d [\d.]+:(\d+) check port (\d+)/g)]
    expect(new Set(led.map(([, port]) => port))).toEqual(
      new Set([gateway?.['OMNI_PORT'], gateway?.['JT808_PORT'], gateway?.['MQTT_PORT']]),
    )
    expect(new Set(led.map(([, , port]) => port))).toEqual(new Set([gateway?.['PORT']]))
    // A file of settings wins over the unit, whose folder of each role it would take away.
    expect(settings('cluster')['DATA_DIR']).toBeUndefined()
  })

  it('passes nginx', (context) => {
    const tls = join(folder, 'tls')
    mkdirSync(tls)
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=city.example.com', '-days', '1']
    if (faultsBy('openssl', [...key, '-keyout', join(tls, 'city.key'), '-out', join(tls, 'city.pem')]) !== '')
      return context.skip('openssl is not installed')
    const site = ['saddle.conf', 'metrics.conf']
      .map((name) => textOf('nginx', name))
      .join('\n')
      .replaceAll('/etc/ssl/saddle', tls)
      .replaceAll('/var/cache/nginx', folder)
      // Only root opens ports below 1024, and this opens them.
      .replaceAll(/^( {2}listen (?:\[::\]:)?)(80|443)\b/gm, '$118$2')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    )
    const whole = join(folder, 'nginx.conf')
    writeFileSync(
      whole,
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
    )
    const faults = faultsBy('nginx', ['-t', '-q', '-c', whole])
    if (faults === null) return context.skip('nginx is not installed')
    expect(faults).toBe('')
  })

  it('passes on who asked and how, in every location', () => {
    const site = textOf('nginx', 'saddle.conf')
    // nginx takes the lines of the server only where a location has none of its own.
    expect(site).not.toMatch(/^ {4}proxy_set_header/m)
    expect([...site.matchAll(/^ {2}proxy_set_header (\S+)/gm)].map(([, name]) => name)).toEqual([
      'Host',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'Upgrade',
      'Connection',
    ])
  })

  it('is the same in the container as on machines', () => {
    const [site, contained] = [textOf('nginx', 'saddle.conf'), textOf('container', 'nginx.conf')].map((text) =>
      text
        .split('\n')
        .slice(1)
        .filter((line) => !/^ {2}server(?:_name)? /.test(line)),
    )
    expect(contained).toEqual(site)
  })
})

describe('database and bus', () => {
  it('pass patroni', async (context) => {
    if (faultsBy('patroni', ['--version']) === null) return context.skip('patroni is not installed')
    // It looks for the programs of PostgreSQL, and whether etcd answers and its own ports are free.
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    for (const name of ['pg_ctl', 'initdb', 'pg_controldata', 'pg_basebackup', 'postgres', 'pg_isready', 'pg_rewind'])
      writeFileSync(join(programs, name), '#!/bin/sh\necho "postgres (PostgreSQL) 18.0"\n', { mode: 0o755 })
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const file = join(folder, 'patroni.yml')
    const text = textOf('patroni', 'patroni.yml')
      .replaceAll('/usr/lib/postgresql/18/bin', programs)
      .replaceAll('/var/lib/postgresql/18/main', join(folder, 'main'))
      .replaceAll(/10\.0\.0\.1\d:2379/g, `127.0.0.1:${port}`)
      .replace('0.0.0.0:8008', `0.0.0.0:${await freePort()}`)
      .replace('0.0.0.0:5432', `0.0.0.0:${await freePort()}`)
    writeFileSync(file, text)
    const faults = faultsBy('patroni', ['--validate-config', file]) ?? ''
    server.close()
    // Patroni 3.0 asks for the first rules beside those that hold afterwards, and takes these.
    expect(faults.split('\n').filter((line) => line !== '' && !line.startsWith('bootstrap.pg_hba'))).toEqual([])
  })

  it('pass nats-server', (context) => {
    const faults = faultsBy('nats-server', ['-t', '-c', join(deploy, 'nats', 'nats.conf')])
    if (faults === null) return context.skip('nats-server is not installed')
    expect(faults).toBe('')
  })

  it('start etcd', async (context) => {
    if (faultsBy('etcd', ['--version']) === null) return context.skip('etcd is not installed')
    const [clients, peers] = [await freePort(), await freePort()]
    const lines = textOf('etcd', 'etcd.env')
      .replaceAll('/var/lib/etcd/saddle', join(folder, 'etcd'))
      .replaceAll('10.0.0.11:2379', `127.0.0.1:${clients}`)
      .replaceAll('10.0.0.11:2380', `127.0.0.1:${peers}`)
      // One is enough here.
      .replace(/,db2=.*/, '')
      .split('\n')
    const env = Object.fromEntries(
      lines.filter((line) => line.startsWith('ETCD_')).map((line) => /^([^=]+)=(.*)$/.exec(line)?.slice(1) ?? []),
    ) as Record<string, string>
    const said = await untilItListens(spawn('etcd', { env: { PATH: process.env['PATH'], ...env } }), clients)
    expect(said).not.toContain('unrecognized')
  })

  it('start pgbouncer', async (context) => {
    if (faultsBy('pgbouncer', ['--version']) === null) return context.skip('pgbouncer is not installed')
    const port = await freePort()
    const own = join(folder, 'pgbouncer')
    mkdirSync(own)
    const users = join(own, 'userlist.txt')
    writeFileSync(users, '"saddle_app_login" "a password"\n')
    const ini = join(own, 'pgbouncer.ini')
    writeFileSync(
      ini,
      textOf('pgbouncer', 'pgbouncer.ini')
        .replaceAll('/etc/pgbouncer/userlist.txt', users)
        .replace('listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
        .replace('listen_port = 6432', `listen_port = ${port}`),
    )
    // It refuses to be root.
    const nobody = 65_534
    const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
    chmodSync(folder, 0o755)
    if (account.uid !== undefined) for (const file of [own, users, ini]) chownSync(file, nobody, nobody)
    const said = await untilItListens(spawn('pgbouncer', [ini], account), port)
    expect(said).not.toMatch(/ (?:WARNING|ERROR|FATAL) /)
  })
})

describe('backup.sh', () => {
  const clone = join(folder, 'clone')
  const backups = join(folder, 'backups')
  const script = join(deploy, 'backup.sh')
  /** Stands for the two commands: a backup is made, and proved, as the words say. */
  const node = (makes: boolean, proves: boolean): void => {
    const program = join(clone, 'node_modules', 'node', 'bin', 'node')
    mkdirSync(join(program, '..'), { recursive: true })
    mkdirSync(join(clone, 'data'), { recursive: true })
    const make = makes ? 'mkdir "$3" && touch "$3/manifest.json"' : 'mkdir "$3"; exit 1'
    writeFileSync(program, `#!/bin/sh\ncase $2 in */backupCli.ts) ${make} ;; *) exit ${proves ? 0 : 1} ;; esac\n`)
    chmodSync(program, 0o755)
  }
  const run = (kept: number) =>
    spawnSync('sh', ['-eu', script, backups, String(kept)], { cwd: clone, encoding: 'utf8' })
  const earlier = (day: number, ...files: readonly string[]): string => {
    const name = `2020-11-${String(day).padStart(2, '0')}T033000Z`
    mkdirSync(join(backups, name), { recursive: true })
    for (const file of files) writeFileSync(join(backups, name, file), '')
    return name
  }
  const there = (): string[] => readdirSync(backups).filter((name) => name.startsWith('2020-11'))

  it('keeps the newest ones and removes what was not finished', () => {
    node(true, true)
    for (const day of [1, 2, 3]) earlier(day, 'manifest.json', 'proved')
    earlier(4)
    const { status, stderr } = run(2)
    expect(status).toBe(0)
    expect(stderr).toContain('is on the disk of data')
    expect(there()).toEqual(['2020-11-03T033000Z'])
    const newest =
      readdirSync(backups)
        .filter((name) => name.endsWith('Z'))
        .toSorted()
        .at(-1) ?? ''
    expect(existsSync(join(backups, newest, 'proved'))).toBe(true)
  })

  it('goes on removing while proofs fail, but never the last proved one', () => {
    rmSync(backups, { recursive: true })
    node(true, false)
    earlier(1, 'manifest.json', 'proved')
    earlier(2, 'manifest.json', 'proved')
    for (const day of [3, 4, 5]) earlier(day, 'manifest.json')
    expect(run(2).status).toBe(1)
    expect(there()).toEqual(['2020-11-02T033000Z', '2020-11-05T033000Z'])
  })

  it('keeps the oldest while none is known to be good, and ends with a fault when none is made', () => {
    rmSync(backups, { recursive: true })
    node(false, false)
    for (const day of [1, 2, 3, 4]) earlier(day, 'manifest.json')
    expect(run(2).status).toBe(1)
    expect(readdirSync(backups).filter((name) => name.endsWith('Z'))).toEqual([
      '2020-11-01T033000Z',
      '2020-11-03T033000Z',
      '2020-11-04T033000Z',
    ])
  })
})

/** Waits until a program takes connections, ends it, and returns what it said. Throws when it ends by itself. */
async function untilItListens(child: ReturnType<typeof spawn>, port: number): Promise<string> {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  try {
    await expect
      .poll(
        () => {
          if (child.exitCode !== null) throw new Error(`it ended: ${said}`)
          return answers(port)
        },
        { timeout: 30_000 },
      )
      .toBe(true)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  return said
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
