import { minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { anchorFolder, appendAnchors } from './anchorFile.ts'
import { insertAnchors, selectMismatchedAnchors } from './store.ts'

type Deps = Pick<Kit, 'db' | 'clock' | 'log' | 'config'>

/**
 * Anchors the end of every chain that has grown, in the database and in a file outside of it, and returns how many.
 * Logs an error for a chain that has lost its last anchor, without waiting for a verification. Safe on several servers.
 */
export async function saveAnchors({ db, clock, log, config }: Deps): Promise<number> {
  for (const { agent_id: agentId, sequence } of await db.systemRead(selectMismatchedAnchors)) {
    log.error({ agentId, sequence }, 'the audit log does not match its last anchor: records were changed or removed')
  }
  const at = new Date(clock.now())
  const rows = await db.system(async (tx) => (await tx.executeQuery(insertAnchors(tx, at))).rows)
  const anchors = rows.map(({ agent_id: agentId, sequence, hash }) => ({ agentId, sequence, hash }))
  await appendAnchors({ folder: anchorFolder(config.dataDir), anchors, at })
  if (anchors.length > 0) log.debug({ chains: anchors.length }, 'the ends of the audit log were anchored')
  return anchors.length
}

async function runOnce(deps: Deps): Promise<void> {
  try {
    await saveAnchors(deps)
  } catch (err) {
    deps.log.error({ err }, 'the audit log could not be anchored')
  }
}

const anchorEveryMs = 5 * minuteMs

/** Anchors now and every five minutes; the returned function stops it and resolves when a running pass has ended. */
export function startAnchoring(deps: Deps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const turn = (): void => {
    running = running.then(() => runOnce(deps))
  }
  const timer = setInterval(turn, anchorEveryMs)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}
