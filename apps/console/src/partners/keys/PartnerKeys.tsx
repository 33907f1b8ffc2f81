import { useState, type ReactNode } from 'react'
import {
  partnerKeyEndpoints,
  partnerKeyLimits,
  partnerScopeLabels,
  partnerScopes,
  partnerUsageDays,
  rotationGraceHours,
  type PartnerKey,
} from '@saddle/contract/partners/keys.ts'
import { partnerDocsPath } from '@saddle/contract/partners/api.ts'
import { serverNow } from '#kit/clock.ts'
import { checks } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { dateTime, number as figure } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { SecretOnce } from '../SecretOnce.tsx'

const { listPartnerKeys, createPartnerKey, rotatePartnerKey, revokePartnerKey } = partnerKeyEndpoints
const stale = [listPartnerKeys]

type Open = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke'; readonly row: PartnerKey }

/** The keys of a company's partners: what each may read, until when, how often it is used; make, replace, revoke. */
export function PartnerKeys({ agentId }: { readonly agentId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(listPartnerKeys, { agentId })
  const [open, setOpen] = useState<Open | null>(null)
  const [made, setMade] = useState<string | null>(null)
  const list = data?.data.list
  const close = (): void => setOpen(null)
  const show = (answer: { readonly data: { readonly key: string } }): void => setMade(answer.data.key)
  return (
    <section className="page-card feed-card" aria-label={t('合作方密钥')}>
      <header>
        <h2>{t('合作方密钥')}</h2>
        <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
          {t('新建密钥')}
        </Button>
      </header>
      <p>
        {t('合作方的程序用密钥读取本公司的数据。')}{' '}
        <a href={partnerDocsPath} target="_blank" rel="noreferrer">
          {t('接口说明')}
        </a>
      </p>
      {made !== null && (
        <SecretOnce text={t('密钥只显示这一次，请立即保存：')} values={[made]} onClose={() => setMade(null)} />
      )}
      {list === undefined && error === null && <Loading />}
      {list === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <Empty title={t('还没有密钥')} text={t('新建后把密钥交给合作方；密钥只显示一次。')} />}
      <ul className="feed-rows">
        {list?.map((row) => (
          <KeyLine key={row.id} row={row} onOpen={setOpen} />
        ))}
      </ul>
      {open?.kind === 'create' && <Create agentId={agentId} onMade={show} onClose={close} />}
      {open?.kind === 'rotate' && <Rotate row={open.row} onMade={show} onClose={close} />}
      {open?.kind === 'revoke' && <Revoke row={open.row} onClose={close} />}
    </section>
  )
}

function stateOf({ revokedAt, expiresAt, previousUntil }: PartnerKey, now: number): readonly [Tone, string] {
  if (revokedAt !== null) return ['off', t('已停用')]
  if (expiresAt <= now) return ['bad', t('已过期')]
  if (previousUntil !== null && previousUntil > now)
    return ['warn', t('旧密钥 {{at}} 失效', { at: dateTime(previousUntil) })]
  return ['good', t('有效')]
}

function KeyLine({ row, onOpen }: { readonly row: PartnerKey; readonly onOpen: (open: Open) => void }): ReactNode {
  const { name, hint, scopes, perMinute, expiresAt, createdBy, lastUsedAt, calls, refused, revokedAt } = row
  const [tone, says] = stateOf(row, serverNow())
  return (
    <li>
      <div>
        <strong>{name}</strong> <code>{hint}</code>
        <br />
        <Mark tone={tone}>{says}</Mark>
      </div>
      <span>
        {scopes.map((scope) => t(partnerScopeLabels[scope])).join(t('、'))}
        {' · '}
        {t('每分钟 {{count}} 次', { count: perMinute })}
        <br />
        <small>{t('有效期至 {{at}} · {{name}} 新建', { at: dateTime(expiresAt), name: createdBy })}</small>
      </span>
      <small>
        {t('近 {{days}} 天 {{calls}} 次调用，{{refused}} 次被拒', {
          days: partnerUsageDays,
          calls: figure(calls),
          refused: figure(refused),
        })}
        <br />
        {lastUsedAt === null ? t('从未使用') : t('最近使用 {{at}}', { at: dateTime(lastUsedAt) })}
      </small>
      {revokedAt === null && (
        <span>
          <Button
            look="quiet"
            aria-label={t('更换密钥“{{name}}”', { name })}
            onClick={() => onOpen({ kind: 'rotate', row })}
          >
            {t('更换')}
          </Button>
          <Button
            look="quiet"
            aria-label={t('停用密钥“{{name}}”', { name })}
            onClick={() => onOpen({ kind: 'revoke', row })}
          >
            {t('停用')}
          </Button>
        </span>
      )}
    </li>
  )
}

interface Making {
  readonly onMade: (answer: { readonly data: { readonly key: string } }) => void
  readonly onClose: () => void
}

function Create({ agentId, onMade, onClose }: Making & { readonly agentId: number }): ReactNode {
  return (
    <FormDialog
      title={t('新建密钥')}
      call={createPartnerKey}
      about={String(agentId)}
      submit={t('新建')}
      stale={stale}
      done={() => t('密钥已生成，请立即保存')}
      onDone={onMade}
      onClose={onClose}
      fields={{
        name: text({ label: t('名称'), hint: t('例如合作方或程序的名称') }),
        scopes: checks({
          label: t('可读内容'),
          initial: ['areas', 'vehicles'],
          options: partnerScopes.map((value) => ({ value, label: t(partnerScopeLabels[value]) })),
        }),
        perMinute: number({ label: t('每分钟上限'), unit: t('次'), initial: partnerKeyLimits.perMinuteDefault }),
        days: number({ label: t('有效期'), unit: t('天'), initial: partnerKeyLimits.daysDefault }),
      }}
      input={(typed) => ({ agentId, ...typed })}
    />
  )
}

function Rotate({ row, onMade, onClose }: Making & { readonly row: PartnerKey }): ReactNode {
  return (
    <FormDialog
      title={t('更换密钥“{{name}}”', { name: row.name })}
      call={rotatePartnerKey}
      about={String(row.id)}
      submit={t('更换')}
      stale={stale}
      done={() => t('密钥已生成，请立即保存')}
      onDone={onMade}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: row.id, version: row.version })}
    >
      <p>{t('旧密钥在 {{count}} 小时后失效，期间两个密钥都可用。', { count: rotationGraceHours })}</p>
    </FormDialog>
  )
}

function Revoke({ row, onClose }: { readonly row: PartnerKey; readonly onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('停用密钥“{{name}}”', { name: row.name })}
      call={revokePartnerKey}
      about={String(row.id)}
      submit={t('停用')}
      stale={stale}
      done={() => t('已停用')}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: row.id })}
    >
      <p>{t('停用立即生效且不能恢复，使用它的程序将不能再读取数据。')}</p>
    </FormDialog>
  )
}
