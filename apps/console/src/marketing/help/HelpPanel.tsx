import { useState, type ReactNode } from 'react'
import {
  helpCategoryLabels,
  helpEndpoints,
  helpOpinionLabels,
  helpOpinions,
  helpReaderFields,
  helpReaderList,
  type HelpArticle,
  type HelpContent,
  type HelpOpinion,
  type HelpReader,
} from '@saddle/contract/marketing/help.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasText, useAreaNames } from '#kit/areaNames.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { moment } from '#kit/form/otherFields.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { days } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { ChangeHelpForm, NewHelpForm } from './HelpForm.tsx'
import { staleHelp } from './helpFields.ts'
import { HelpPhones } from './HelpPhones.tsx'
import { HelpVersions } from './HelpVersions.tsx'

type View = 'preview' | 'versions' | 'readers' | 'useful' | 'useless'

/** One article: how riders see it, who has read it, and what can be done with it. */
export function HelpPanel({ article }: { article: HelpArticle }): ReactNode {
  const { id, version, liveVersion, nextAt, nextVersion } = article
  const [view, setView] = useState<View>('preview')
  const { data } = useEndpoint(helpEndpoints.helpVersions, { id })
  const names = useAreaNames()
  const content = data?.data.list.find((one) => one.version === version)?.content ?? null
  const tab = (name: View, label: string) => (
    <Button key={name} aria-pressed={view === name} onClick={() => setView(name)}>
      {label}
    </Button>
  )
  return (
    <DetailPanel
      label={t('文章详情')}
      title={<strong>{article.title}</strong>}
      foot={<Acts article={article} content={content} />}
    >
      <Facts
        facts={[
          [t('分类'), t(helpCategoryLabels[article.category])],
          [t('骑行者读到的'), liveVersion === null ? t('无') : t('版本 {{version}}', { version: liveVersion })],
          [
            t('最新'),
            liveVersion !== null && version > liveVersion
              ? t('版本 {{version}}，尚未发布', { version })
              : t('版本 {{version}}', { version }),
          ],
          ...(nextAt === null
            ? []
            : [
                [
                  t('定时发布'),
                  t('{{time}} 发布版本 {{version}}', {
                    time: dateTime(nextAt).slice(0, 16),
                    version: nextVersion ?? 0,
                  }),
                ] as const,
              ]),
          [t('服务区'), areasText(article.areaIds, names)],
          [t('英文'), article.titleEn === '' ? t('缺少英文') : article.titleEn],
          [t('加盟商'), article.company],
        ]}
      />
      <p className="content-figures">
        {tab('preview', t('预览'))}
        {tab('readers', t('阅读 {{count}} 次', { count: article.views }))}
        {tab('useful', `${t('有用')} ${number(article.useful)}`)}
        {tab('useless', `${t('没用')} ${number(article.useless)}`)}
        {tab('versions', t('历次版本'))}
      </p>
      {view === 'preview' && (content === null ? <Loading /> : <HelpPhones content={content} />)}
      {view === 'versions' && <HelpVersions article={article} />}
      {(view === 'readers' || view === 'useful' || view === 'useless') && (
        <Readers key={view} articleId={id} opinions={view === 'readers' ? helpOpinions : [view]} />
      )}
    </DetailPanel>
  )
}

const readers = listOf({
  list: helpReaderList,
  call: helpEndpoints.listHelpReaders,
  file: helpEndpoints.exportHelpReaders,
  fields: helpReaderFields,
})

function Readers({ articleId, opinions }: { articleId: number; opinions: readonly HelpOpinion[] }) {
  const list = useList(readers, { fixed: { articleId, opinions: [...opinions] }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('读者')}
      filters={[days(t('最近阅读'))]}
      columns={readerColumns}
      rowName={({ phone }) => phone}
      empty={t('还没有这样的读者')}
    />
  )
}

const readerColumns = (): readonly ColumnSpec<HelpReader>[] => [
  {
    key: 'phone',
    title: t('骑行者'),
    card: 'head',
    render: ({ riderId, phone }) => <RiderLink riderId={riderId}>{phone}</RiderLink>,
  },
  { key: 'opinion', card: 'head', render: ({ opinion }) => t(helpOpinionLabels[opinion]) },
  'views',
  'version',
  'lastAt',
  { key: 'opinionAt', isOptional: true },
  { key: 'firstAt', isOptional: true },
]

function Acts({ article, content }: { article: HelpArticle; content: HelpContent | null }) {
  const { id, version, state, liveVersion, nextAt } = article
  const [open, setOpen] = useState<'change' | 'copy' | 'plan' | null>(null)
  const close = () => setOpen(null)
  const publish = useAction(helpEndpoints.publishHelp, {
    stale: staleHelp,
    done: () => t('已发布'),
    undo: () => (liveVersion === null ? { id } : null),
  })
  const withdraw = useAction(helpEndpoints.withdrawHelp, {
    stale: staleHelp,
    done: () => (state === 'scheduled' ? t('已取消定时发布') : t('已撤下，骑行者看不到')),
    undo: () => (liveVersion === version && nextAt === null ? { id, version } : null),
  })
  const isPublishable = liveVersion !== version || nextAt !== null
  return (
    <p className="form-choices">
      {(state === 'published' || state === 'scheduled') && (
        <Button busy={withdraw.isBusy} onClick={() => withdraw.send({ id })}>
          {state === 'scheduled' ? t('取消定时发布') : t('撤下')}
        </Button>
      )}
      <Button disabled={content === null} onClick={() => setOpen('copy')}>
        {t('复制')}
      </Button>
      <Button disabled={content === null} onClick={() => setOpen('change')}>
        {t('修改')}
      </Button>
      {isPublishable && (
        <>
          <Button onClick={() => setOpen('plan')}>{t('定时发布')}</Button>
          <Button look="primary" busy={publish.isBusy} onClick={() => publish.send({ id, version })}>
            {t('发布')}
          </Button>
        </>
      )}
      {open === 'change' && content !== null && <ChangeHelpForm article={article} content={content} onClose={close} />}
      {open === 'copy' && content !== null && (
        <NewHelpForm
          of={{ ...content, title: t('{{name}} 副本', { name: content.title }).slice(0, 60) }}
          onClose={close}
        />
      )}
      {open === 'plan' && (
        <FormDialog
          title={t('定时发布“{{name}}”', { name: article.title })}
          call={helpEndpoints.publishHelp}
          about={id}
          fields={{ at: moment({ label: t('发布时间') }) }}
          input={({ at }) => ({ id, version, ...(at !== undefined && { at }) })}
          submit={t('定时发布')}
          stale={staleHelp}
          done={() => t('已安排定时发布')}
          onClose={close}
        />
      )}
    </p>
  )
}
