import { useState, type ReactNode } from 'react'
import { partnerDocsPath } from '@saddle/contract/partners/api.ts'
import { webhookEventNames, webhookEvents } from '@saddle/contract/partners/webhookEvents.ts'
import { webhookEndpoints, webhookRotationHours, type Webhook } from '@saddle/contract/partners/webhooks.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { checks } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime, number as figure } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { SecretOnce } from '../SecretOnce.tsx'

const { listWebhooks, createWebhook, changeWebhook, removeWebhook, rotateWebhookSecret } = webhookEndpoints
const { setWebhookState, testWebhook, listWebhookDeliveries } = webhookEndpoints
const stale = [listWebhooks]

type Open = { readonly kind: 'create' } | { readonly kind: 'change' | 'rotate' | 'remove'; readonly row: Webhook }

/** Where a company's partners are told of events: what each is told, and whether it arrives. */
export function Webhooks({ agentId }: { readonly agentId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(listWebhooks, { agentId }, { refetchIntervalMs: minuteMs / 4 })
  const [open, setOpen] = useState<Open | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const list = data?.data.list
  const close = (): void => setOpen(null)
  const show = (answer: { readonly data: { readonly secret: string } }): void => setSecret(answer.data.secret)
  return (
    <section className="page-card feed-card" aria-label="Webhook">
      <header>
        <h2>Webhook</h2>
        <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
          {t('新建 Webhook')}
        </Button>
      </header>
      <p>
        {t('所选事件发生后，签名的消息会发到合作方的地址，未送达的在一天内重试。')}{' '}
        <a href={partnerDocsPath} target="_blank" rel="noreferrer">
          {t('消息格式')}
        </a>
      </p>
      {secret !== null && (
        <SecretOnce text={t('签名密钥只显示这一次，请立即保存：')} values={[secret]} onClose={() => setSecret(null)} />
      )}
      {list === undefined && error === null && <Loading />}
      {list === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <Empty title={t('还没有 Webhook')} text={t('新建后填写合作方接收消息的 https 地址。')} />}
      <ul className="feed-rows feed-webhooks">
        {list?.map((row) => (
          <Line key={row.id} row={row} onOpen={setOpen} />
        ))}
      </ul>
      {open?.kind === 'create' && (
        <FormDialog
          title={t('新建 Webhook')}
          call={createWebhook}
          about={String(agentId)}
          submit={t('新建')}
          stale={stale}
          done={() => t('已新建，请立即保存签名密钥')}
          onDone={show}
          onClose={close}
          fields={fieldsOf(null)}
          input={(typed) => ({ agentId, ...typed })}
        />
      )}
      {open?.kind === 'change' && <Change row={open.row} onClose={close} />}
      {open?.kind === 'rotate' && <Rotate row={open.row} onMade={show} onClose={close} />}
      {open?.kind === 'remove' && <Remove row={open.row} onClose={close} />}
    </section>
  )
}

const fieldsOf = (row: Webhook | null) => ({
  name: text({ label: t('名称'), hint: t('例如合作方或程序的名称'), initial: row?.name ?? '' }),
  url: text({
    label: t('接收地址'),
    type: 'url',
    placeholder: 'https://',
    initial: row?.url ?? '',
    refusals: ['webhook_address', 'webhook_private'],
  }),
  events: checks({
    label: t('事件'),
    initial: row?.events ?? [],
    options: webhookEventNames.map((value) => ({ value, label: t(webhookEvents[value].title) })),
  }),
})

function stateOf({ state, isPausedForFailure, failingSince }: Webhook): readonly [Tone, string] {
  if (state === 'paused') return isPausedForFailure ? ['bad', t('因持续失败已暂停')] : ['off', t('已暂停')]
  if (failingSince !== null) return ['warn', t('{{at}} 起未能送达', { at: dateTime(failingSince) })]
  return ['good', t('正常')]
}

function Line({ row, onOpen }: { readonly row: Webhook; readonly onOpen: (open: Open) => void }): ReactNode {
  const { id, version, name, url, events, state, lastSentAt, waiting, sent, failed } = row
  const [tone, says] = stateOf(row)
  const test = useAction(testWebhook, {
    stale: [listWebhooks, listWebhookDeliveries],
    done: () => t('测试消息已排队，结果见推送记录'),
  })
  const turn = useAction(setWebhookState, {
    stale,
    done: () => (state === 'on' ? t('已暂停') : t('已恢复，暂停期间的消息将补发')),
  })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <br />
        <code>{url}</code>
        <br />
        <Mark tone={tone}>{says}</Mark>
      </div>
      <span>{events.map((event) => t(webhookEvents[event].title)).join(t('、'))}</span>
      <small>
        {t('近一天送达 {{sent}} 条，未送达 {{failed}} 条，待发送 {{waiting}} 条', {
          sent: figure(sent),
          failed: figure(failed),
          waiting: figure(waiting),
        })}
        <br />
        {lastSentAt === null ? t('从未送达') : t('最近送达 {{at}}', { at: dateTime(lastSentAt) })}
      </small>
      <span className="feed-acts">
        <Button
          look="quiet"
          disabled={test.isBusy || state === 'paused'}
          aria-label={t('测试“{{name}}”', { name })}
          onClick={() => test.send({ id })}
        >
          {t('测试')}
        </Button>
        <Button
          look="quiet"
          disabled={turn.isBusy}
          aria-label={state === 'on' ? t('暂停“{{name}}”', { name }) : t('恢复“{{name}}”', { name })}
          onClick={() => turn.send({ id, version, state: state === 'on' ? 'paused' : 'on' })}
        >
          {state === 'on' ? t('暂停') : t('恢复')}
        </Button>
        <Button look="quiet" aria-label={t('修改“{{name}}”', { name })} onClick={() => onOpen({ kind: 'change', row })}>
          {t('修改')}
        </Button>
        <Button
          look="quiet"
          aria-label={t('更换“{{name}}”的签名密钥', { name })}
          onClick={() => onOpen({ kind: 'rotate', row })}
        >
          {t('更换密钥')}
        </Button>
        <Button look="quiet" aria-label={t('删除“{{name}}”', { name })} onClick={() => onOpen({ kind: 'remove', row })}>
          {t('删除')}
        </Button>
      </span>
    </li>
  )
}

interface Dialog {
  readonly row: Webhook
  readonly onClose: () => void
}

function Change({ row, onClose }: Dialog): ReactNode {
  return (
    <FormDialog
      title={t('修改“{{name}}”', { name: row.name })}
      call={changeWebhook}
      about={`${row.id} ${row.version}`}
      submit={t('保存')}
      stale={stale}
      done={() => t('已保存')}
      onClose={onClose}
      fields={fieldsOf(row)}
      input={(typed) => ({ id: row.id, version: row.version, ...typed })}
    />
  )
}

function Rotate(props: Dialog & { readonly onMade: (answer: { readonly data: { readonly secret: string } }) => void }) {
  const { row, onMade, onClose } = props
  return (
    <FormDialog
      title={t('更换“{{name}}”的签名密钥', { name: row.name })}
      call={rotateWebhookSecret}
      about={String(row.id)}
      submit={t('更换')}
      stale={stale}
      done={() => t('密钥已生成，请立即保存')}
      onDone={onMade}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: row.id, version: row.version })}
    >
      <p>{t('{{count}} 小时内，消息同时带有新旧密钥的签名。', { count: webhookRotationHours })}</p>
    </FormDialog>
  )
}

function Remove({ row, onClose }: Dialog): ReactNode {
  return (
    <FormDialog
      title={t('删除“{{name}}”', { name: row.name })}
      call={removeWebhook}
      about={String(row.id)}
      submit={t('删除')}
      stale={[listWebhooks, listWebhookDeliveries]}
      done={() => t('已删除')}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: row.id })}
    >
      <p>{t('删除后不再推送，未送达的消息与推送记录一并删除。')}</p>
    </FormDialog>
  )
}
