import { attempt, run } from './shell.ts'

/** Three machines on one network, as deploy/ has them; the entry, where vehicles and browsers arrive, is this machine. */
export const entryAddress = '10.0.0.1'
const prefix = '10.0.0.'
const bridge = 'saddle'

export interface Machine {
  /** Name of its network namespace, and of the near end of its cable. */
  readonly name: string
  readonly number: number
  readonly address: string
  /** Further addresses, of the processes that run there. */
  readonly processes: readonly string[]
}

const machine = (number: number, processes: readonly number[]): Machine => ({
  name: `saddle-${number}`,
  number,
  address: `${prefix}${10 + number}`,
  processes: processes.map((last) => `${prefix}${last}`),
})

/** Gateways are 31 and 32, api servers 21 and 22, workers 41 and 42. */
export const machines = [machine(1, [31, 21]), machine(2, [32, 41]), machine(3, [22, 42])] as const

/** Makes the network. Throws when its addresses are in use. */
export function openNetwork(): void {
  closeNetwork()
  const taken = run('ip', ['-4', 'route', 'show', `${prefix}0/24`]).trim()
  if (taken !== '') throw new Error(`${prefix}0/24 is in use here: ${taken}`)
  run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  run('ip', ['addr', 'add', `${entryAddress}/24`, 'dev', bridge])
  run('ip', ['link', 'set', bridge, 'up'])
  for (const { name, address, processes } of machines) {
    run('ip', ['netns', 'add', name])
    run('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name])
    run('ip', ['link', 'set', name, 'master', bridge, 'up'])
    run('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    for (const one of [address, ...processes]) run('ip', ['-n', name, 'addr', 'add', `${one}/24`, 'dev', 'eth0'])
    run('ip', ['-n', name, 'link', 'set', 'eth0', 'up'])
  }
}

/** Removes what a run has left. */
export function closeNetwork(): void {
  for (const { name } of machines) {
    attempt('ip', ['netns', 'del', name])
    attempt('ip', ['link', 'del', name])
  }
  attempt('ip', ['link', 'del', bridge])
}

/** Pulls the cable of a machine, or puts it back: bytes stop, and no connection ends. */
export const setCable = ({ name }: Machine, state: 'down' | 'up'): void => void run('ip', ['link', 'set', name, state])

const etcdPorts = '2379-2380'

/**
 * Cuts etcd of a machine off from the two others, or joins them again; everything else goes on. What stays on the machine is looked up
 * before these rules, so that its Patroni still reaches its own etcd.
 */
export function setEtcd({ name }: Machine, state: 'cut' | 'joined'): void {
  const what = state === 'cut' ? 'add' : 'del'
  for (const end of ['dport', 'sport'])
    run('ip', ['-n', name, 'rule', what, 'ipproto', 'tcp', end, etcdPorts, 'blackhole'])
}
