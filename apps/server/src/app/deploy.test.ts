import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createLocalBus } from '#kit/bus.ts'
import { describeConfig } from '#kit/config.ts'
import { silentLog } from '#kit/log.ts'
import { createMetrics } from '#kit/metrics.ts'
import { createTelemetryMetrics } from '#telemetry/metrics.ts'
import { createCallMetrics } from './callMetrics.ts'
import { createClusterMetrics } from './clusterMetrics.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const deploy = join(root, 'deploy')
const textOf = (...path: string[]): string => readFileSync(join(deploy, ...path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'saddle-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What ends the check of a file by its own tool; null where the tool is not installed. */
function faultsBy(command: string, words: readonly string[]): string | null {
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8' })
  if (error !== undefined) return null
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
  it('passes haproxy', (context) => {
    for (const name of haproxyFiles) {
      const faults = faultsBy('haproxy', ['-c', '-f', join(deploy, 'haproxy', name)])
      if (faults === null) return context.skip('haproxy is not installed')
      expect(faults).toBe('')
    }
  })

  it('passes nginx', (context) => {
    const tls = join(folder, 'tls')
    mkdirSync(tls)
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=city.example.com', '-days', '1']
    if (faultsBy('openssl', [...key, '-keyout', join(tls, 'city.key'), '-out', join(tls, 'city.pem')]) !== '')
      return context.skip('openssl is not installed')
    const site = textOf('nginx', 'saddle.conf')
      .replaceAll('/etc/ssl/saddle', tls)
      .replaceAll('/var/cache/nginx', folder)
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
