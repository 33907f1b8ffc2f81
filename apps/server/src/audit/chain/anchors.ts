import { minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { anchorFolder, appendAnchors } from './anchorFile.ts'
import { insertAnchors, selectShaken } from './store.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'log' | 'config'>

/**
 * Keeps the present end of every chain that has grown, in the database and in a file outside of it, and returns how many.
 * A chain that has lost its last anchor is told to the log at once: nobody has to ask first. Safe on several servers.
 */
export async function keepAnchors({ db, clock, log, config }: Parts): Promise<number> {
  for (const { agent_id: agentId, sequence } of await db.systemRead(selectShaken)) {
    log.error({ agentId, sequence }, 'the audit trail does not hold its last anchor: lines were changed or removed')
  }
  const at = new Date(clock.now())
  const rows = await db.system(async (tx) => (await tx.executeQuery(insertAnchors(tx, at))).rows)
  const anchors = rows.map(({ agent_id: agentId, sequence, hash }) => ({ agentId, sequence, hash }))
  await appendAnchors({ folder: anchorFolder(config.dataDir), anchors, at })
  if (anchors.length > 0) log.debug({ chains: anchors.length }, 'the ends of the audit trail were anchored')
  return anchors.length
}

async function turnOnce(parts: Parts): Promise<void> {
  try {
    await keepAnchors(parts)
  } catch (err) {
    parts.log.error({ err }, 'the audit trail could not be anchored')
  }
}

const anchorEveryMs = 5 * minuteMs

/** Anchors now and every five minutes; returns what ends it and resolves when a running turn has ended. */
export function startAnchoring(parts: Parts): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const turn = (): void => {
    running = running.then(() => turnOnce(parts))
  }
  const timer = setInterval(turn, anchorEveryMs)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}
