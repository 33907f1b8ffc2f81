import { useState, type ReactNode } from 'react'
import {
  helpCategoryLabels,
  helpEndpoints,
  helpFields,
  helpList,
  helpStateLabels,
  type HelpArticle,
} from '@saddle/contract/marketing/help.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasBrief, useAreaNames, type AreaNames } from '#kit/areaNames.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, many, one, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Segments } from '#kit/plain/Segments.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { TelephonesPage } from '../telephones/TelephonesPage.tsx'
import { NewHelpForm } from './HelpForm.tsx'
import { staleHelp, toneOfHelp } from './helpFields.ts'
import { HelpPanel } from './HelpPanel.tsx'
import './help.css'

/** What riders find when they need help: articles, and telephone lines. */
export default function HelpPage(): ReactNode {
  const [view, setView] = useState<'articles' | 'telephones'>('articles')
  const tabs = (
    <Segments<'articles' | 'telephones'>
      label={t('帮助配置')}
      options={[
        { value: 'articles', label: t('帮助文章', { context: 'tab' }) },
        { value: 'telephones', label: t('客服电话', { context: 'tab' }) },
      ]}
      value={view}
      onChange={setView}
    />
  )
  return view === 'articles' ? <Articles tabs={tabs} /> : <TelephonesPage tabs={tabs} />
}

const articles = listOf({
  list: helpList,
  call: helpEndpoints.listHelp,
  file: helpEndpoints.exportHelp,
  fields: helpFields,
})

function Articles({ tabs }: { tabs: ReactNode }) {
  const list = useList(articles)
  const names = useAreaNames()
  const [isNew, setNew] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('帮助配置')}
        actions={
          <Button look="primary" onClick={() => setNew(true)}>
            {t('新增文章')}
          </Button>
        }
        above={
          <>
            {tabs}
            <StateTabs
              list={list}
              call={helpEndpoints.listHelp}
              name="states"
              title={t('状态')}
              labels={helpStateLabels}
            />
          </>
        }
        filters={[
          tabbed('states'),
          keyword(t('标题或正文'), 'text'),
          many('categories', t('分类'), helpCategoryLabels),
          areas('areaIds'),
          one('isUntranslated', t('英文'), [
            { value: true, label: t('缺少英文') },
            { value: false, label: t('有英文') },
          ]),
        ]}
        columns={() => columns(names)}
        rowName={({ title }) => title}
        empty={t('还没有帮助文章')}
        renderPanel={(row) => <HelpPanel key={row.id} article={row} />}
      />
      {isNew && <NewHelpForm of={null} onClose={() => setNew(false)} />}
    </>
  )
}

const columns = (names: AreaNames): readonly ColumnSpec<HelpArticle>[] => [
  { key: 'position', sort: 'order', width: 120, render: (row) => <Move article={row} /> },
  { key: 'title', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state, version, liveVersion }) => (
      <span>
        <Mark tone={toneOfHelp[state]}>{t(helpStateLabels[state])}</Mark>
        {liveVersion !== null && version > liveVersion && <small> {t('有未发布的修改')}</small>}
      </span>
    ),
  },
  'category',
  {
    key: 'titleEn',
    render: ({ titleEn }) => (titleEn === '' ? <Mark tone="warn">{t('缺少英文')}</Mark> : titleEn),
  },
  {
    key: 'areaIds',
    title: t('服务区'),
    render: ({ areaIds }) => areasBrief(areaIds, names),
  },
  'views',
  'useful',
  'useless',
  { key: 'readers', isOptional: true },
  { key: 'pictures', isOptional: true },
  { key: 'nextAt', isOptional: true },
  { key: 'company', card: 'wide' },
  { key: 'changedAt', card: 'none' },
  { key: 'changedBy', isOptional: true },
]

function Move({ article }: { article: HelpArticle }) {
  const { id, title, position } = article
  const move = useAction(helpEndpoints.moveHelp, {
    stale: staleHelp,
    done: ({ data }) => t('已移到第 {{position}} 位', { position: data.position }),
    undo: ({ data }) => ({ id, position: data.before }),
  })
  const to = (next: number) => move.send({ id, position: next })
  return (
    // The row opens by a click; these buttons do something else.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the buttons take the keys
    <span className="help-move" onClick={(event) => event.stopPropagation()}>
      {position}
      <Button
        aria-label={t('上移“{{name}}”', { name: title })}
        disabled={position <= 1}
        busy={move.isBusy}
        onClick={() => to(position - 1)}
      >
        ↑
      </Button>
      <Button aria-label={t('下移“{{name}}”', { name: title })} busy={move.isBusy} onClick={() => to(position + 1)}>
        ↓
      </Button>
    </span>
  )
}
