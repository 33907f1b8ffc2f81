import { useState, type ReactNode } from 'react'
import {
  riderImportDays,
  riderImportEndpoints,
  riderImportFaultsMax,
  riderImportProblemLabels,
  riderImportStateLabels,
  type RiderImport,
} from '@saddle/contract/finance/riderImports.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { importTone, staleImports } from './words.ts'

/** One batch: how many riders and how much money, why lines cannot be taken, and what can be done. */
export function ImportPanel({ batch }: { readonly batch: RiderImport }): ReactNode {
  const { state } = batch
  return (
    <DetailPanel
      label={t('用户导入批次详情')}
      title={
        <>
          <strong>{batch.name}</strong> <Mark tone={importTone[state]}>{t(riderImportStateLabels[state])}</Mark>
        </>
      }
      foot={state === 'checked' ? <Acts batch={batch} /> : null}
    >
      <Facts
        facts={[
          [t('新用户'), number(batch.added)],
          [t('加盟商'), batch.company],
          [t('上传'), `${batch.createdBy} · ${dateTime(batch.createdAt)}`],
          batch.endedAt === null
            ? [t('过期时间'), t('{{at}}，届时删除其中的用户资料', { at: dateTime(expiryOf(batch)) })]
            : [
                t(riderImportStateLabels[state]),
                [batch.endedBy, dateTime(batch.endedAt)].filter((part) => part !== null).join(' · '),
              ],
        ]}
      />
      <Report batch={batch} />
      {batch.bad > 0 && <Faults batch={batch} />}
    </DetailPanel>
  )
}

const expiryOf = ({ createdAt }: RiderImport): number => createdAt + riderImportDays * dayMs

/** Lines and cents of the file, of what is left out and taken, and of what the ledger has: they add up. */
function Report({ batch }: { readonly batch: RiderImport }) {
  const { total, bad, cents, refusedCents, booked, bookedCents } = batch
  const rows = [
    [t('文件'), total, refusedCents === null ? null : cents + refusedCents],
    [t('不能导入'), bad, refusedCents],
    [t('可以导入'), total - bad, cents],
    ...(booked === null ? [] : ([[t('账本中的期初余额'), booked, bookedCents]] as const)),
  ] as const
  return (
    <section>
      <h3>{t('对账')}</h3>
      <table className="figures-table">
        <thead>
          <tr>
            <th scope="col">{t('项目')}</th>
            <th scope="col">{t('行数')}</th>
            <th scope="col">{t('余额')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([what, count, sum]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{number(count)}</td>
              <td>{sum === null ? '—' : money(sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bookedCents !== null && (
        <p>
          <Mark tone={bookedCents === cents ? 'good' : 'bad'}>
            {bookedCents === cents
              ? t('账本与文件相符；余额为零的用户不记账')
              : t('账本与文件相差 {{yuan}} 元', { yuan: money(bookedCents - cents) })}
          </Mark>
        </p>
      )}
    </section>
  )
}

function Faults({ batch: { id, bad } }: { readonly batch: RiderImport }) {
  const { data } = useEndpoint(riderImportEndpoints.riderImportFaults, { id }, { keepPrevious: true })
  const faults = data?.data.list ?? []
  return (
    <section aria-label={t('不能导入的原因')}>
      <h3>{t('不能导入的原因')}</h3>
      <Facts
        facts={faults.map(({ line, problems }) => [
          t('第 {{line}} 行', { line }),
          problems.map((problem) => t(riderImportProblemLabels[problem])).join(t('、')),
        ])}
      />
      {bad > riderImportFaultsMax && <p>{t('只列出前 {{count}} 行', { count: riderImportFaultsMax })}</p>}
    </section>
  )
}

function Acts({ batch: { id, total, bad, cents, isOwn } }: { readonly batch: RiderImport }) {
  const [asking, setAsking] = useState<'commit' | 'discard' | null>(null)
  const commit = useAction(riderImportEndpoints.commitRiderImport, {
    stale: staleImports,
    done: ({ data }) =>
      t('已导入 {{count}} 位用户，期初余额共 {{yuan}} 元', { count: data.riders, yuan: money(data.cents) }),
  })
  const discard = useAction(riderImportEndpoints.discardRiderImport, { stale: staleImports, done: () => t('已放弃') })
  const good = total - bad
  if (asking !== null) {
    const isCommit = asking === 'commit'
    return (
      <p className="form-choices">
        <span>
          {isCommit
            ? t('导入后不能撤销，余额从加盟商的结算收入中优先扣回')
            : t('放弃后批次中的用户资料被删除，不能恢复')}
        </span>
        <Button
          look="primary"
          busy={isCommit ? commit.isBusy : discard.isBusy}
          onClick={() => (isCommit ? commit.send({ id }) : discard.send({ id }))}
        >
          {isCommit ? t('确认导入') : t('确认放弃')}
        </Button>
        <Button onClick={() => setAsking(null)}>{t('取消')}</Button>
      </p>
    )
  }
  const isHeld = isOwn && cents > 0
  return (
    <p className="form-choices">
      <Button onClick={() => setAsking('discard')}>{t('放弃')}</Button>
      <Button look="primary" disabled={good === 0 || isHeld} onClick={() => setAsking('commit')}>
        {t('导入 {{count}} 位用户', { count: good })}
      </Button>
      {good === 0 && <small className="form-hint">{t('没有可以导入的行')}</small>}
      {good > 0 && isHeld && <small className="form-hint">{t('含余额的批次须由上传人以外的人确认')}</small>}
    </p>
  )
}
