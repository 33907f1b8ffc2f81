import { useState, type ReactNode } from 'react'
import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { cardPreviewEndpoints, type CardPreview } from '@saddle/contract/riding/cardPreview.ts'
import { useAction } from '#kit/action/useAction.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'

const offeredWeeks = [2, 4, 8] as const

interface Props {
  readonly agentId: number | null
  /** Null while they are not whole. */
  readonly terms: CardTerms | null
}

/** What the card would have done in the past weeks: who would have gained, by how often they rode. */
export function PastWeeks({ agentId, terms }: Props): ReactNode {
  const [weeks, setWeeks] = useState<(typeof offeredWeeks)[number]>(4)
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: CardPreview } | null>(null)
  const asked = JSON.stringify([agentId, terms, weeks])
  const trial = useAction(cardPreviewEndpoints.previewCard, {
    onDone: ({ data }, input) =>
      setAnswer({ of: JSON.stringify([input.agentId, input.terms, input.weeks]), preview: data }),
  })
  return (
    <section aria-label={t('历史试算')}>
      <p className="form-choices">
        {offeredWeeks.map((count) => (
          <Button key={count} aria-pressed={weeks === count} onClick={() => setWeeks(count)}>
            {t('过去 {{count}} 周', { count })}
          </Button>
        ))}
        <Button
          busy={trial.isBusy}
          disabled={terms === null || agentId === null}
          onClick={() => {
            if (terms !== null && agentId !== null) trial.send({ agentId, terms, weeks })
          }}
        >
          {t('试算')}
        </Button>
      </p>
      {answer !== null && answer.of === asked ? (
        <Result preview={answer.preview} />
      ) : (
        <p>{terms === null ? t('填写完整后可以试算') : t('若过去几周就有这张卡，哪些骑行者会划算')}</p>
      )}
    </section>
  )
}

function Result({ preview }: { preview: CardPreview }) {
  const { riders, gainers, savedCents, cardsCents, ridesToGain, groups, isCut, rides } = preview
  if (riders === 0) return <p>{t('这段时间没有骑行')}</p>
  return (
    <>
      <Facts
        facts={[
          [t('骑行'), isCut ? t('最近 {{count}} 次', { count: rides }) : number(rides)],
          [t('骑行者'), number(riders)],
          [t('买卡划算的人'), number(gainers)],
          [t('至少骑几次才划算'), ridesToGain === null ? '--' : number(ridesToGain)],
          [t('替他们省'), t('{{yuan}} 元', { yuan: money(savedCents) })],
          [t('他们买卡花'), t('{{yuan}} 元', { yuan: money(cardsCents) })],
          [t('若只有他们买，收入变化'), t('{{yuan}} 元', { yuan: money(cardsCents - savedCents) })],
        ]}
      />
      <table className="figures-table">
        <thead>
          <tr>
            <th scope="col">{t('骑行次数')}</th>
            <th scope="col">{t('人数')}</th>
            <th scope="col">{t('划算')}</th>
            <th scope="col">{t('人均省')}</th>
            <th scope="col">{t('人均卡费')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.from}>
              <th scope="row">{group.to === null ? `${group.from}+` : `${group.from}–${group.to}`}</th>
              <td>{number(group.riders)}</td>
              <td>{number(group.gainers)}</td>
              <td>{money(group.savedCents)}</td>
              <td>{money(group.cardsCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
