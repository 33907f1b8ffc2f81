/**
 * Asked by `npm start` when it runs as root: gives the data folder (and the folder of compiled sources) to the
 * unprivileged account that PostgreSQL runs under, and prints `{"uid", "gid"}`, so that everything else is started under
 * it too. Prints `{"reason"}` where that account could not work: then everything stays with root.
 * Usage: stepDownCli.ts <clone> <data folder> <folder of compiled sources>
 */
import { lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deviceProtocols, portSetting, tlsPortSetting } from '@saddle/contract/fleet/protocols.ts'
import { canReach, chooseAccount, type Account } from './account.ts'

/** A database of a year has some ten thousand files. */
const entriesMax = 1_000_000

function giveAway(folder: string, { uid, gid }: NonNullable<Account>): void {
  const waiting = [folder]
  for (let done = 0; done < entriesMax; done += 1) {
    const path = waiting.pop()
    if (path === undefined) return
    const stats = lstatSync(path)
    if (stats.uid === 0) lchownSync(path, uid, gid)
    // Root has written into folders of the account too: PostgreSQL's log, for one.
    if (stats.isDirectory()) waiting.push(...readdirSync(path).map((name) => join(path, name)))
  }
  throw new Error(`${folder} holds too many files`)
}

/** Whether all users can read the file: a clone made under a strict umask is readable by root only. */
const isReadable = (path: string): boolean => (lstatSync(path).mode & 0o004) !== 0

/** Lower ports need root. */
const firstFreePort = 1_024
const settings = ['PORT', ...deviceProtocols.flatMap((protocol) => [portSetting(protocol), tlsPortSetting(protocol)])]

function asksForLowPort(): boolean {
  return settings.some((name) => {
    const port = Number(process.env[name] ?? 0)
    return port > 0 && port < firstFreePort
  })
}

function stepDown([clone = '', dataDir = '', compiled = '']: readonly string[]): object {
  const account = chooseAccount()
  if (account === null) return { reason: 'not started as root' }
  if (asksForLowPort()) return { reason: 'a port below 1024 is asked for' }
  const data = resolve(dataDir)
  if (!canReach({ account, path: clone }) || !isReadable(join(clone, 'package.json'))) {
    return { reason: `an unprivileged account cannot enter ${clone}` }
  }
  if (!canReach({ account, path: join(data, '..') })) return { reason: `an unprivileged account cannot enter ${data}` }
  for (const folder of [data, compiled]) {
    mkdirSync(folder, { recursive: true })
    giveAway(folder, account)
  }
  return account
}

process.stdout.write(JSON.stringify(stepDown(process.argv.slice(2))))
