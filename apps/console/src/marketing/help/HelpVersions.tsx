import { useState, type ReactNode } from 'react'
import {
  helpEndpoints,
  helpCategoryLabels,
  type HelpArticle,
  type HelpContent,
} from '@saddle/contract/marketing/help.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { differentLines } from './differences.ts'
import { staleHelp } from './helpFields.ts'

/** What an article has said, what each version changed, and the way back to one. */
export function HelpVersions({ article }: { article: HelpArticle }): ReactNode {
  const { id, version: latest, liveVersion } = article
  const { data, error, refetch } = useEndpoint(helpEndpoints.helpVersions, { id })
  const [open, setOpen] = useState<number | null>(null)
  const restore = useAction(helpEndpoints.saveHelp, {
    stale: staleHelp,
    done: ({ data: { version } }) => t('已恢复为版本 {{version}}，发布后骑行者可见', { version }),
  })
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const versions = data.data.list
  return (
    <ol className="help-versions" aria-label={t('历次版本')}>
      {versions.map(({ version, content, madeAt, madeBy }, index) => {
        const before = versions[index + 1]?.content
        return (
          <li key={version}>
            <header>
              <span>
                {t('版本 {{version}}', { version })} · {madeBy} · {dateTime(madeAt)}
                {version === liveVersion && ` · ${t('已发布')}`}
              </span>
              {before !== undefined && (
                <Button aria-expanded={open === version} onClick={() => setOpen(open === version ? null : version)}>
                  {t('与上一版比较')}
                </Button>
              )}
              {version !== latest && (
                <Button busy={restore.isBusy} onClick={() => restore.send({ id, version: latest, content })}>
                  {t('恢复此版本')}
                </Button>
              )}
            </header>
            {open === version && before !== undefined && <Differences before={before} after={content} />}
          </li>
        )
      })}
    </ol>
  )
}

const wholeOf = ({ category, title, body, titleEn, bodyEn, areaIds }: HelpContent): string =>
  [
    `${t('分类')}：${t(helpCategoryLabels[category])}`,
    `${t('适用服务区')}：${areaIds.length === 0 ? t('全部') : areaIds.join(', ')}`,
    title,
    body,
    titleEn,
    bodyEn,
  ]
    .filter((part) => part !== '')
    .join('\n')

function Differences({ before, after }: { before: HelpContent; after: HelpContent }) {
  const lines = differentLines(wholeOf(before), wholeOf(after))
  if (lines.every(({ kind }) => kind === 'same')) return <p className="help-missing">{t('内容相同')}</p>
  return (
    <div className="help-lines">
      {lines.map(({ kind, text }, index) => {
        const key = `${index} ${kind}`
        if (kind === 'gone') return <del key={key}>− {text}</del>
        if (kind === 'new') return <ins key={key}>+ {text}</ins>
        return <div key={key}>{text}</div>
      })}
    </div>
  )
}
