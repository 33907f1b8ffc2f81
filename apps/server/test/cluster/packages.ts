import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { run } from './shell.ts'

/** What the machines run besides the platform, by a program of each package. */
const packages = {
  'postgresql-common': '/usr/bin/pg_lsclusters',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  'nats-server': '/usr/sbin/nats-server',
  iproute2: '/usr/sbin/ip',
} as const

const noServices = '/usr/sbin/policy-rc.d'
const clusterSettings = '/etc/postgresql-common/createcluster.conf'

/** Installs what is missing of Debian's packages; none of their services is started. Throws on another system or account. */
export function installPackages(say: (sentence: string) => void): void {
  if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.')
  const missing = Object.entries(packages).filter(([, program]) => !existsSync(program))
  if (missing.length === 0) return
  if (!existsSync('/etc/debian_version') || spawnSync('apt-get', ['--version']).error !== undefined)
    throw new Error(`This needs Debian 12 or these programs: ${missing.map(([, program]) => program).join(', ')}`)
  say(`installing ${missing.map(([name]) => name).join(', ')}`)
  const hasPolicy = existsSync(noServices)
  if (!hasPolicy) writeFileSync(noServices, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const apt = (...words: string[]) => run('apt-get', words, { DEBIAN_FRONTEND: 'noninteractive' })
    apt('update', '-qq')
    const install = (...names: string[]) => apt('install', '-y', '-qq', '--no-install-recommends', ...names)
    if (!existsSync(clusterSettings)) {
      // Otherwise the package makes a database of its own.
      mkdirSync('/etc/postgresql-common', { recursive: true })
      writeFileSync(clusterSettings, 'create_main_cluster = false\n')
    }
    install(...missing.map(([name]) => name))
  } finally {
    if (!hasPolicy) rmSync(noServices, { force: true })
  }
}
