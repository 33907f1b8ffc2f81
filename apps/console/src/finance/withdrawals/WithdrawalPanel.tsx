import { useState, type ReactNode } from 'react'
import {
  withdrawalEndpoints,
  withdrawalReasonMax,
  withdrawalStateLabels,
  type Withdrawal,
} from '@saddle/contract/finance/withdrawals.ts'
import { noteText } from '../notes.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Sources } from '../payouts/Sources.tsx'
import { AuthoriseSteps } from './AuthoriseSteps.tsx'
import { staleWithdrawals, withdrawalTones } from './words.ts'

/** One withdrawal: what it is, what happened to it, and where its money came from. */
export function WithdrawalPanel({ withdrawal }: { readonly withdrawal: Withdrawal }): ReactNode {
  const { state, isOwn } = withdrawal
  const hasActs = state === 'waiting' || (isOwn && state === 'authorising') || state === 'sent' || state === 'unknown'
  return (
    <DetailPanel
      label={t('提现明细')}
      title={
        <span>
          <strong>{t('提现 {{id}}', { id: withdrawal.id })}</strong>{' '}
          <Mark tone={withdrawalTones[state]}>{t(withdrawalStateLabels[state])}</Mark>
        </span>
      }
      {...(hasActs && { foot: <Acts withdrawal={withdrawal} /> })}
    >
      <Whole withdrawal={withdrawal} />
    </DetailPanel>
  )
}

function Whole({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const { id, cents, feeCents, bankName, lastDigits, reason } = withdrawal
  const { data, error, refetch } = useEndpoint(withdrawalEndpoints.withdrawalDetail, { id })
  const yuan = (sum: number): string => t('{{yuan}} 元', { yuan: money(sum) })
  return (
    <>
      <Facts
        facts={[
          [t('提现金额'), yuan(cents)],
          [t('手续费'), yuan(feeCents)],
          [t('到账金额'), yuan(cents - feeCents)],
          [t('收款银行卡'), `${bankName} ${lastDigits}`],
          [t('申请人'), `${withdrawal.askedBy} · ${dateTime(withdrawal.askedAt)}`],
          ...(withdrawal.secondBy === null ? [] : [[t('复核人'), withdrawal.secondBy] as const]),
          [t('加盟商'), withdrawal.company],
          [t('提现单号'), <code key="number">{withdrawal.number}</code>],
          ...(withdrawal.bankNumber === null ? [] : [[t('银行流水号'), withdrawal.bankNumber] as const]),
          ...(reason === '' ? [] : [[t('原因'), noteText(reason)] as const]),
        ]}
      />
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <h3>{t('经过')}</h3>
          <ol className="withdrawals-trail">
            {data.data.steps.map((step) => (
              <li key={`${step.at} ${step.state}`}>
                <time>{dateTime(step.at)}</time>
                <span>
                  {t(withdrawalStateLabels[step.state])}
                  <small>{[step.by ?? t('系统'), noteText(step.note)].filter((part) => part !== '').join(' · ')}</small>
                </span>
              </li>
            ))}
          </ol>
          <Sources withdrawalId={id} sources={data.data.sources} isCut={data.data.isCut} />
        </>
      )}
    </>
  )
}

function Acts({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const { id, state, isOwn, cents } = withdrawal
  const [isEnding, setEnding] = useState(false)
  const confirm = useAction(withdrawalEndpoints.confirmWithdrawal, {
    stale: staleWithdrawals,
    done: ({ data }) => t('复核通过：{{state}}', { state: t(withdrawalStateLabels[data.state]) }),
  })
  const ask = useAction(withdrawalEndpoints.askWithdrawal, {
    stale: staleWithdrawals,
    done: ({ data }) => t('银行答复：{{state}}', { state: t(withdrawalStateLabels[data.state]) }),
  })
  const ending = isOwn ? t('撤回提现') : t('拒绝提现')
  return (
    <div className="withdrawals-acts">
      {state === 'authorising' && <AuthoriseSteps id={id} />}
      {(state === 'sent' || state === 'unknown') && (
        <Button busy={ask.isBusy} onClick={() => ask.send({ id })}>
          {t('向银行查询')}
        </Button>
      )}
      {(state === 'authorising' || state === 'waiting') && <Button onClick={() => setEnding(true)}>{ending}</Button>}
      {state === 'waiting' && (
        <Button look="primary" busy={confirm.isBusy} disabled={isOwn} onClick={() => confirm.send({ id })}>
          {isOwn ? t('需另一人复核') : t('复核通过 {{yuan}} 元', { yuan: money(cents) })}
        </Button>
      )}
      {isEnding && (
        <FormDialog
          title={ending}
          call={withdrawalEndpoints.cancelWithdrawal}
          about={id}
          fields={{ note: longText({ label: t('原因'), isOptional: true }) }}
          input={({ note }) => ({ id, note: note ?? '' })}
          submit={ending}
          stale={staleWithdrawals}
          done={() => t('提现已撤回，资金在可提现余额中')}
          onClose={() => setEnding(false)}
        >
          <p>{t('撤回后不能恢复，需要重新申请。原因最多 {{count}} 字。', { count: withdrawalReasonMax })}</p>
        </FormDialog>
      )}
    </div>
  )
}
