import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import {
  registrationEndpoints,
  registrationWindowMinutes,
  type DeviceAccess,
} from '@saddle/contract/fleet/registration.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Facts } from './Facts.tsx'
import '#kit/list/filter.css'
import './deviceAccess.css'

/** How the device of one vehicle gets in, and what staff can do about it. */
export function AccessCard({ vehicleId }: { readonly vehicleId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(registrationEndpoints.deviceAccess, { vehicleId })
  const access = data?.data
  return (
    <section className="page-card da-card">
      <h2>{t('设备接入')}</h2>
      {access === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <AccessFacts access={access} />
          <Acts access={access} />
        </>
      )}
    </section>
  )
}

/** What the device must be told. The password is shown when somebody asks for it, and the log says who did. */
export function AccessFacts({ access }: { readonly access: DeviceAccess }): ReactNode {
  const { protocol, host, port, tlsPort, broker, terminalNumber, plate } = access
  const isTerminal = protocol === 'jt808'
  return (
    <>
      <Facts
        facts={[
          [t('协议'), deviceProtocolLabels[protocol]],
          [t('服务器地址'), host ?? t('本平台的域名或地址（可用 DEVICE_HOST 设置）')],
          [t('端口'), tlsPort === null ? String(port) : `${port}（TLS：${tlsPort}）`],
          [t('或自有 MQTT Broker'), broker ?? ''],
          ['IMEI', access.imei],
          [t('终端号'), terminalNumber ?? ''],
          [t('注册时的车牌'), isTerminal ? (plate ?? t('不核对')) : ''],
          [t('客户端标识'), access.clientId ?? ''],
          [t('用户名'), access.userName ?? ''],
          [t('主题'), access.topics.length === 0 ? '' : <Topics key="topics" topics={access.topics} />],
          [t('终端注册'), isTerminal ? windowWords(access) : ''],
          [t('密码更换次数'), access.secretChanges === 0 ? '' : String(access.secretChanges)],
          [t('最近上报'), access.heardAt === null ? t('从未上报') : dateTime(access.heardAt)],
        ]}
      />
      {access.hasSecret ? (
        <Permit action="030802">
          <Secret key={access.secretChanges} access={access} />
        </Permit>
      ) : (
        <p className="da-note">{t('Omni 协议没有密码：知道 IMEI 的人就能冒充设备，请用防火墙限定来源网络。')}</p>
      )}
    </>
  )
}

const Topics = ({ topics }: { topics: readonly string[] }) => (
  <ul className="da-topics">
    {topics.map((topic) => (
      <li key={topic}>
        <code>{topic}</code>
      </li>
    ))}
  </ul>
)

function windowWords({ isClaimed, registrationOpenUntil: until }: DeviceAccess): string {
  const isOpen = until !== null && until > serverNow()
  const window = isOpen ? t('开放至 {{time}}', { time: dateTime(until) }) : t('未开放')
  return `${isClaimed ? t('已有终端注册') : t('还没有终端注册')} · ${window}`
}

function Secret({ access }: { access: DeviceAccess }) {
  const [secret, setSecret] = useState<string | null>(null)
  const { vehicleId, protocol } = access
  const show = useEndpointMutation(registrationEndpoints.showDeviceSecret, {
    onSuccess: ({ data }) => setSecret(data.secret),
  })
  const title = protocol === 'mqtt' ? t('MQTT 密码') : t('鉴权码')
  if (secret === null) {
    return (
      <div className="da-acts">
        <Button busy={show.isPending} onClick={() => show.mutate({ input: { vehicleId } })}>
          {protocol === 'mqtt' ? t('查看 MQTT 密码') : t('查看鉴权码')}
        </Button>
        <small>{t('查看会写入设备日志')}</small>
      </div>
    )
  }
  return (
    <div className="da-secret">
      <span>{title}</span>
      <code>{secret}</code>
      <Button
        onClick={() =>
          void navigator.clipboard.writeText(secret).then(
            () => notify.success({ text: t('已复制') }),
            () => notify.warning({ text: t('无法复制，请手动选择') }),
          )
        }
      >
        {t('复制')}
      </Button>
      <Button look="quiet" onClick={() => setSecret(null)}>
        {t('隐藏')}
      </Button>
    </div>
  )
}

type Asked = 'secret' | 'unregister'

function Acts({ access }: { access: DeviceAccess }) {
  const { vehicleId, protocol, number, registrationOpenUntil } = access
  const [asked, setAsked] = useState<Asked | null>(null)
  const isTerminal = protocol === 'jt808'
  const isOpen = registrationOpenUntil !== null && registrationOpenUntil > serverNow()
  const open = useEndpointMutation(registrationEndpoints.openRegistration, {
    invalidates: [registrationEndpoints.deviceAccess],
    onSuccess: ({ data }) =>
      notify.success({
        text:
          data.registrationOpenUntil === null
            ? t('已关闭 {{number}} 的终端注册', { number })
            : t('{{number}} 的终端可注册至 {{time}}', { number, time: dateTime(data.registrationOpenUntil) }),
      }),
  })
  return (
    <div className="da-acts">
      <Permit action="030802">
        {access.hasSecret && (
          <Button onClick={() => setAsked('secret')}>{isTerminal ? t('释放终端') : t('更换设备密码')}</Button>
        )}
        {isTerminal && (
          <Button
            busy={open.isPending}
            onClick={() => open.mutate({ input: { vehicleId, minutes: isOpen ? 0 : registrationWindowMinutes.usual } })}
          >
            {isOpen ? t('关闭终端注册') : t('开放注册 {{count}} 分钟', { count: registrationWindowMinutes.usual })}
          </Button>
        )}
      </Permit>
      {access.heardAt === null && (
        <Permit action="030801">
          <Button onClick={() => setAsked('unregister')}>{t('撤销登记')}</Button>
        </Permit>
      )}
      {asked === 'secret' && <ChangeSecret access={access} onClose={() => setAsked(null)} />}
      {asked === 'unregister' && <Unregister access={access} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface AskProps {
  readonly access: DeviceAccess
  readonly onClose: () => void
}

function ChangeSecret({ access, onClose }: AskProps) {
  const { vehicleId, number, protocol } = access
  const change = useEndpointMutation(registrationEndpoints.changeDeviceSecret, {
    invalidates: [registrationEndpoints.deviceAccess],
    onSuccess: () => {
      notify.success({ text: t('{{number}} 的旧密码已失效', { number }) })
      onClose()
    },
  })
  const isTerminal = protocol === 'jt808'
  return (
    <Ask
      title={isTerminal ? t('释放 {{number}} 的终端', { number }) : t('更换 {{number}} 的设备密码', { number })}
      text={
        isTerminal
          ? t('已注册的终端立即断开，它的鉴权码失效。此后 {{count}} 分钟内，车牌相符的终端可以注册。', {
              count: registrationWindowMinutes.usual,
            })
          : t('旧密码立即失效，在线的连接会断开。把新密码写入设备之前，车辆无法接入。')
      }
      button={isTerminal ? t('释放终端') : t('更换密码')}
      busy={change.isPending}
      onClose={onClose}
      onGo={(reason) => change.mutate({ input: { vehicleId, reason } })}
    />
  )
}

function Unregister({ access, onClose }: AskProps) {
  const { vehicleId, number } = access
  const unregister = useEndpointMutation(registrationEndpoints.unregisterVehicle, {
    invalidates: [searchEndpoints.searchVehicles, vehicleEndpoints.singleDeviceInfo],
    onSuccess: () => {
      notify.success({ text: t('已撤销 {{number}} 的登记', { number }) })
      onClose()
    },
  })
  return (
    <Ask
      title={t('撤销 {{number}} 的登记', { number })}
      text={t('车辆与设备会从系统中删除，编号与 IMEI 可以重新登记。')}
      button={t('撤销登记')}
      busy={unregister.isPending}
      onClose={onClose}
      onGo={(reason) => unregister.mutate({ input: { vehicleId, reason } })}
    />
  )
}

interface QuestionProps {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly busy: boolean
  readonly onClose: () => void
  readonly onGo: (reason: string) => void
}

/** Says what will happen and asks why. */
function Ask({ title, text, button, busy, onClose, onGo }: QuestionProps) {
  const [reason, setReason] = useState('')
  const why = reason.trim()
  return (
    <Modal open width={460} footer={null} title={title} onCancel={onClose}>
      <form
        className="da-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (why !== '' && !busy) onGo(why)
        }}
      >
        <p className="da-note">{text}</p>
        <input
          className="filter-keyword"
          value={reason}
          maxLength={200}
          aria-label={t('原因（写入设备日志）')}
          placeholder={t('原因（写入设备日志）')}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="da-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={why === ''}>
            {button}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
