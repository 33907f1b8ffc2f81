import { AppError } from '@saddle/contract/errors.ts'
import {
  helpFields,
  helpList,
  helpReaderFields,
  helpReaderList,
  type helpEndpoints,
} from '@saddle/contract/marketing/help.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { newAgentOf } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'
import { changeArticle, createArticle, moveArticle, publishArticle, withdrawArticle } from './articles.ts'
import { articleRows, presentArticle, presentReader, presentVersion, readerRows, selectVersions } from './store.ts'

/** Help articles: what they say, when riders read it, and who has. */
export function createHelpHandlers(deps: ContentDeps): Handlers<typeof helpEndpoints> {
  const { kit, photos, riders } = deps
  const articles = serveList(deps, helpList, {
    name: 'help',
    prepare: () => ({ now: new Date(kit.clock.now()) }),
    rows: articleRows,
    present: (row) => presentArticle(row, kit.clock.now()),
    file: { action: 'help.export', fields: helpFields },
  })
  const readers = serveList(deps, helpReaderList, {
    name: 'help-readers',
    rows: readerRows,
    present: (row) => presentReader(row, riders.maskedPhone),
    file: { action: 'help.export', fields: helpReaderFields },
  })
  return {
    listHelp: articles.page,
    exportHelp: articles.file,
    listHelpReaders: readers.page,
    exportHelpReaders: readers.file,

    saveHelp: async ({ id, version, agentId, content }, call) => ({
      suc: true,
      data:
        id === undefined
          ? await createArticle(deps, call, { agentId, content })
          : await changeArticle(deps, call, { id, version, content }),
    }),
    publishHelp: async (input, call) => ({ suc: true, data: await publishArticle(deps, call, input) }),
    withdrawHelp: async (input, call) => ({ suc: true, data: await withdrawArticle(deps, call, input) }),
    moveHelp: async (input, call) => ({ suc: true, data: await moveArticle(deps, call, input) }),

    helpVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },

    keepHelpPicture: async ({ agentId, photo }, call) => {
      const agent = newAgentOf(call, agentId)
      const kept = { agentId: agent, areaId: null, purpose: 'help', file: photo, isUnattached: true } as const
      return { suc: true, data: { photoId: await kit.db.withScope(call.scope, (tx) => photos.keep(tx, kept)) } }
    },
    helpPictures: async ({ ids }, { scope }) => ({
      suc: true,
      data: { list: await photos.read(scope, { purpose: 'help', ids }) },
    }),
  }
}
