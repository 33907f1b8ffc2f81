import { AppError } from '@saddle/contract/errors.ts'
import { telephoneFields, telephoneList, type telephoneEndpoints } from '@saddle/contract/marketing/telephones.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { newAgentOf } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'
import {
  changeLine,
  createLine,
  lineRows,
  presentHoliday,
  presentLine,
  presentVersion,
  saveHolidays,
  selectHolidays,
  selectVersions,
} from './lines.ts'

/** Telephone lines and the holidays on which some are closed. */
export function createTelephoneHandlers(deps: ContentDeps): Handlers<typeof telephoneEndpoints> {
  const { kit } = deps
  const lines = serveList(deps, telephoneList, {
    name: 'telephones',
    rows: lineRows,
    present: presentLine,
    file: { action: 'telephone.export', fields: telephoneFields },
  })
  return {
    listTelephones: lines.page,
    exportTelephones: lines.file,
    saveTelephone: async ({ id, version, agentId, content }, call) => ({
      suc: true,
      data:
        id === undefined
          ? await createLine(deps, call, { agentId, content })
          : await changeLine(deps, call, { id, version, content }),
    }),
    telephoneVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },
    listHolidays: async ({ agentId }, call) => {
      const agent = newAgentOf(call, agentId)
      const rows = await kit.db.read(call.scope, (k) => selectHolidays(agent).compile(k))
      return { suc: true, data: { list: rows.map(presentHoliday) } }
    },
    saveHolidays: async (input, call) => {
      const before = await saveHolidays(deps, call, input)
      return { suc: true, data: { count: input.holidays.length, before } }
    },
  }
}
