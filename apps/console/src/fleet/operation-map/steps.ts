import {
  commandStateLabels,
  isFinalCommandState,
  type Command,
  type CommandState,
} from '@saddle/contract/fleet/commands.ts'

/** `done` happened, `active` is waited for, `pending` lies ahead, `bad` ended it, `skipped` never came. */
type StepStatus = 'done' | 'active' | 'pending' | 'bad' | 'skipped'

export interface CommandStep {
  readonly state: CommandState
  readonly label: string
  readonly status: StepStatus
  readonly at: number | null
}

/**
 * The command's progress as steps. A step counts as done only with a time of its own, so the screen never claims
 * more than the platform knows: an accepted command is 排队中 and nothing else.
 */
export function stepsOf(command: Command): readonly CommandStep[] {
  const { state, queuedAt, sentAt, acknowledgedAt, finishedAt } = command
  const ended = isFinalCommandState(state)
  const middle = (name: CommandState, at: number | null): CommandStep =>
    step(name, at !== null ? (state === name ? 'active' : 'done') : ended ? 'skipped' : 'pending', at)
  const first = step('queued', state === 'queued' ? 'active' : 'done', queuedAt)
  const last: CommandStep =
    state === 'expired' || state === 'failed'
      ? step(state, 'bad', finishedAt)
      : step('confirmed', state === 'confirmed' ? 'done' : 'pending', state === 'confirmed' ? finishedAt : null)
  return [first, middle('sent', sentAt), middle('acknowledged', acknowledgedAt), last]
}

function step(state: CommandState, status: StepStatus, at: number | null): CommandStep {
  return { state, label: commandStateLabels[state], status, at }
}

const order: Readonly<Record<CommandState, number>> = {
  queued: 0,
  sent: 1,
  acknowledged: 2,
  confirmed: 3,
  expired: 3,
  failed: 3,
}

/**
 * Puts a command's news into a list, newest first. News may arrive twice and in any order over two channels
 * (socket and polling), so a command never goes back to an earlier state.
 */
export function mergeCommand(list: readonly Command[], news: Command, limit: number): readonly Command[] {
  const known = list.find((each) => each.id === news.id)
  if (known === undefined) return [news, ...list].toSorted((one, other) => other.id - one.id).slice(0, limit)
  if (order[news.state] < order[known.state] || isFinalCommandState(known.state)) return list
  return list.map((each) => (each.id === news.id ? news : each))
}

/** The same for a whole list that was read again. */
export function mergeCommands(known: readonly Command[], read: readonly Command[], limit: number): readonly Command[] {
  return read.reduce((list, command) => mergeCommand(list, command, limit), known)
}

export const hasPending = (list: readonly Command[]): boolean =>
  list.some((command) => !isFinalCommandState(command.state))
