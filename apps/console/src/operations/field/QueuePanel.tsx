import type { ReactNode } from 'react'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { discardTask, retryStep, sendNow, useSent, useSteps } from './outbox.ts'
import type { Step, StepKind } from './queue/rules.ts'
import { useOnline } from './useField.ts'

const words = (kind: StepKind): string =>
  ({
    claim: t('领取任务'),
    start: t('到达现场'),
    complete: t('完成任务'),
    release: t('退回任务'),
    report: t('现场反馈'),
  })[kind]

const failed = () => notify.error({ text: t('这台设备暂时无法保存，请检查存储空间') })

/** What the server does not know yet, and what it did not accept, with its reason. */
export function QueuePanel({ onClose }: { readonly onClose: () => void }): ReactNode {
  const steps = useSteps()
  const isOnline = useOnline()
  return (
    <section className="field-panel" aria-label={t('待发送')}>
      <header>
        <button type="button" className="field-back" aria-label={t('返回')} onClick={onClose}>
          ‹
        </button>
        <h2>{t('待发送')}</h2>
        <Button disabled={steps.length === 0 || !isOnline} onClick={() => void sendNow().catch(failed)}>
          {t('立即发送')}
        </Button>
      </header>
      <p className="field-hint">{t('没有网络时，操作先保存在这台设备上，恢复后按顺序发送，不会丢失，也不会重复。')}</p>
      {steps.length === 0 ? (
        <Empty title={t('全部已发送')} />
      ) : (
        <ol className="field-steps">
          {steps.map((step) => (
            <StepRow key={step.id} step={step} />
          ))}
        </ol>
      )}
      <SentList />
    </section>
  )
}

/** What the server has, so that nobody does it once more. */
function SentList() {
  const sent = useSent()
  if (sent.length === 0) return null
  return (
    <>
      <h3>{t('已发送')}</h3>
      <ol className="field-steps" aria-label={t('已发送')}>
        {sent.map(({ id, vehicleNumber, kind, madeAt, sentAt }) => (
          <li key={`${id} ${sentAt}`}>
            <b>
              {vehicleNumber} · {words(kind)}
            </b>
            <small>{t('{{made}} 操作，{{sent}} 发送', { made: dateTime(madeAt), sent: dateTime(sentAt) })}</small>
          </li>
        ))}
      </ol>
    </>
  )
}

function StepRow({ step }: { readonly step: Step }) {
  const isRefused = step.state === 'refused'
  return (
    <li data-refused={isRefused}>
      <b>
        {step.vehicleNumber} · {words(step.kind)}
      </b>
      <small>{dateTime(step.madeAt)}</small>
      {isRefused ? (
        <>
          <p role="alert">{t('未被接受：{{reason}}', { reason: step.refusal ?? '' })}</p>
          <div className="field-acts">
            <Button onClick={() => void retryStep(step).catch(failed)}>{t('再次发送')}</Button>
            <Button onClick={() => void discardTask(step.taskId).catch(failed)}>
              {t('放弃 {{number}} 的操作', { number: step.vehicleNumber })}
            </Button>
          </div>
        </>
      ) : (
        <small>{step.attempts === 0 ? t('等待发送') : t('已尝试 {{count}} 次', { count: step.attempts })}</small>
      )}
    </li>
  )
}
