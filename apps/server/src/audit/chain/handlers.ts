import { z } from 'zod'
import { auditCheckLines, type auditEndpoints } from '@saddle/contract/audit/records.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { anchorFolder } from './anchorFile.ts'
import { chainStart, checkPart, type ChainCursor } from './check.ts'
import { selectChains } from './store.ts'

type ChainEndpoints = Pick<typeof auditEndpoints, 'logChains' | 'verifyLogs'>

export function createChainHandlers(kit: Pick<Kit, 'db' | 'config'>): Handlers<ChainEndpoints> {
  return {
    logChains: async (_, { scope }) => {
      const rows = await kit.db.read(scope, (kysely) => selectChains(kysely, scope))
      const list = rows.map((row) => ({
        agentId: row.agent_id,
        company: row.company,
        lines: row.sequence ?? 0,
        lastHash: row.hash,
        lastAt: row.at?.getTime() ?? null,
        anchoredAt: row.anchored_at?.getTime() ?? null,
      }))
      return { suc: true, data: { list } }
    },

    verifyLogs: async ({ agentId, cursor }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const { place, fault, isDone } = await checkPart({
        read: (build) => kit.db.read(scope, build),
        agentId,
        place: cursor === undefined ? chainStart : decodeChainCursor(cursor),
        lines: auditCheckLines,
        anchorFolder: anchorFolder(kit.config.dataDir),
      })
      return {
        suc: true,
        data: {
          checked: place.sequence,
          fault,
          lastHash: place.hash === '' ? null : place.hash,
          nextCursor: isDone ? null : `${place.sequence}.${place.hash}`,
        },
      }
    },
  }
}

const placeSchema = z.tuple([z.coerce.number().int().positive(), z.string().regex(/^[0-9a-f]{64}$/)])

function decodeChainCursor(text: string): ChainCursor {
  const parsed = placeSchema.safeParse(text.split('.'))
  if (!parsed.success) throw new AppError('bad_request', { values: { detail: 'cursor' } })
  const [sequence, hash] = parsed.data
  return { sequence, hash }
}
