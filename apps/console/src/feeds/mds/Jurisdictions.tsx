import { useState, type ReactNode } from 'react'
import { jurisdictionEndpoints, mdsUsageDays, type Jurisdiction, type MdsClient } from '@saddle/contract/feeds/mds.ts'
import { mdsJson, mdsVersion } from '@saddle/contract/feeds/mdsRecords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { SecretOnce } from '#partners/public.ts'
import { Agency } from '../agency/Agency.tsx'
import { SaveAgency, StopAgency } from '../agency/forms.tsx'
import { Policies } from '../policy/Policies.tsx'
import {
  CreateClient,
  CreateJurisdiction,
  EndJurisdiction,
  RevokeClient,
  SaveProvider,
  type MadeClient,
} from './forms.tsx'

type Open =
  | { readonly kind: 'provider' | 'create' }
  | { readonly kind: 'client' | 'end' | 'agency' | 'stop'; readonly jurisdiction: Jurisdiction }
  | { readonly kind: 'revoke'; readonly client: MdsClient }

/** What cities read of a company by MDS, and what they are sent: their jurisdictions, the credentials of their programs, and where they take records. */
export function Jurisdictions({ agentId }: { readonly agentId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(
    jurisdictionEndpoints.listJurisdictions,
    { agentId },
    { refetchIntervalMs: minuteMs },
  )
  const [open, setOpen] = useState<Open | null>(null)
  const [made, setMade] = useState<MadeClient | null>(null)
  const shown = data?.data
  const close = (): void => setOpen(null)
  return (
    <section className="page-card feed-card" aria-label={t('城市监管（MDS）')}>
      <header>
        <h2>{t('城市监管（MDS {{version}}）', { version: mdsVersion })}</h2>
        <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
          {t('新建辖区')}
        </Button>
      </header>
      <p>
        {t(
          '城市的程序用凭据换取令牌，读取本公司在辖区边界之内的车辆、状态、事件、行程与轨迹，看不到边界以外的车辆，也看不到骑行者。',
        )}{' '}
        {t('城市若给出接口地址与令牌，同样的记录也可以推送过去。')}
      </p>
      {shown === undefined && error === null && <Loading />}
      {shown === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {shown !== undefined && (
        <Facts
          facts={[
            [
              'provider_id',
              <Provider key="provider" id={shown.providerId} onOpen={() => setOpen({ kind: 'provider' })} />,
            ],
            [t('接口地址'), <code key="url">{shown.url}</code>],
            [t('令牌地址'), <code key="token">{shown.tokenUrl}</code>],
            ['Accept', <code key="accept">{mdsJson}</code>],
          ]}
        />
      )}
      {made !== null && <Made made={made} onClose={() => setMade(null)} />}
      {shown?.jurisdictions.length === 0 && (
        <Empty title={t('还没有辖区')} text={t('新建辖区后，再为城市的程序新建凭据。')} />
      )}
      {shown?.jurisdictions.map((one) => (
        <One key={one.id} jurisdiction={one} onOpen={setOpen} />
      ))}
      {open?.kind === 'provider' && shown !== undefined && <SaveProvider shown={shown} onClose={close} />}
      {open?.kind === 'create' && <CreateJurisdiction agentId={agentId} onClose={close} />}
      {open?.kind === 'client' && <CreateClient jurisdiction={open.jurisdiction} onMade={setMade} onClose={close} />}
      {open?.kind === 'end' && <EndJurisdiction jurisdiction={open.jurisdiction} onClose={close} />}
      {open?.kind === 'agency' && <SaveAgency jurisdiction={open.jurisdiction} onClose={close} />}
      {open?.kind === 'stop' && <StopAgency jurisdiction={open.jurisdiction} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeClient client={open.client} onClose={close} />}
    </section>
  )
}

function Provider({ id, onOpen }: { readonly id: string | null; readonly onOpen: () => void }): ReactNode {
  return (
    <>
      {id === null ? t('新建第一个辖区时自动生成') : <code>{id}</code>}{' '}
      <Button look="quiet" aria-label={t('修改 provider_id')} onClick={onOpen}>
        {t('修改')}
      </Button>
    </>
  )
}

function Made({ made, onClose }: { readonly made: MadeClient; readonly onClose: () => void }): ReactNode {
  return (
    <SecretOnce
      text={t('密钥只显示这一次，请立即保存：')}
      values={[`client_id ${made.clientId}`, `client_secret ${made.secret}`]}
      onClose={onClose}
    />
  )
}

interface OneProps {
  readonly jurisdiction: Jurisdiction
  readonly onOpen: (open: Open) => void
}

function One({ jurisdiction, onOpen }: OneProps): ReactNode {
  const { name, areaKm2, polygons, createdAt, createdBy, clients, agency } = jurisdiction
  return (
    <article className="feed-area" aria-label={name}>
      <h3>{name}</h3>
      <p>
        {t('{{count}} 个多边形', { count: polygons })} · {t('{{size}} 平方公里', { size: number(areaKm2) })} ·{' '}
        {t('{{name}} 新建于 {{at}}', { name: createdBy, at: dateTime(createdAt) })}
      </p>
      <p>
        <Button
          look="quiet"
          aria-label={t('为辖区“{{name}}”新建凭据', { name })}
          onClick={() => onOpen({ kind: 'client', jurisdiction })}
        >
          {t('新建凭据')}
        </Button>{' '}
        {agency === null && (
          <>
            <Button
              look="quiet"
              aria-label={t('设置向“{{name}}”推送', { name })}
              onClick={() => onOpen({ kind: 'agency', jurisdiction })}
            >
              {t('设置推送')}
            </Button>{' '}
          </>
        )}
        <Button
          look="quiet"
          aria-label={t('结束辖区“{{name}}”', { name })}
          onClick={() => onOpen({ kind: 'end', jurisdiction })}
        >
          {t('结束辖区')}
        </Button>
      </p>
      {agency !== null && (
        <Agency jurisdiction={jurisdiction} agency={agency} onOpen={(kind) => onOpen({ kind, jurisdiction })} />
      )}
      <Policies jurisdiction={jurisdiction} />
      {clients.length === 0 && <p>{t('还没有凭据')}</p>}
      <ul className="feed-rows">
        {clients.map((client) => (
          <ClientLine key={client.id} client={client} onRevoke={() => onOpen({ kind: 'revoke', client })} />
        ))}
      </ul>
    </article>
  )
}

function stateOf({ revokedAt, expiresAt }: MdsClient, now: number): readonly [Tone, string] {
  if (revokedAt !== null) return ['off', t('已停用')]
  return expiresAt <= now ? ['bad', t('已过期')] : ['good', t('有效')]
}

function ClientLine({ client, onRevoke }: { readonly client: MdsClient; readonly onRevoke: () => void }): ReactNode {
  const { name, clientId, expiresAt, createdBy, lastUsedAt, calls, refused, revokedAt } = client
  const [tone, says] = stateOf(client, serverNow())
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <br />
        <Mark tone={tone}>{says}</Mark>
      </div>
      <span>
        <code>{clientId}</code>
        <br />
        <small>{t('有效期至 {{at}} · {{name}} 新建', { at: dateTime(expiresAt), name: createdBy })}</small>
      </span>
      <small>
        {t('近 {{days}} 天 {{calls}} 次调用，{{refused}} 次被拒', {
          days: mdsUsageDays,
          calls: number(calls),
          refused: number(refused),
        })}
        <br />
        {lastUsedAt === null ? t('从未使用') : t('最近使用 {{at}}', { at: dateTime(lastUsedAt) })}
      </small>
      {revokedAt === null && (
        <Button look="quiet" aria-label={t('停用凭据“{{name}}”', { name })} onClick={onRevoke}>
          {t('停用')}
        </Button>
      )}
    </li>
  )
}
