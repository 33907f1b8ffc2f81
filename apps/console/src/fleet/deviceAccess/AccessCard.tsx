import { Fragment, useState, type ReactNode } from 'react'
import {
  registrationEndpoints,
  registrationWindowMinutes,
  type DeviceAccess,
} from '@saddle/contract/fleet/registration.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { useAction } from '#kit/action/useAction.ts'
import { serverNow } from '#kit/clock.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { filled } from './filled.ts'
import './deviceAccess.css'

/** How one vehicle's device connects, and what staff can do about it. */
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

/** The settings for the device. The password is shown on request, and the log records who requested it. */
export function AccessFacts({ access }: { readonly access: DeviceAccess }): ReactNode {
  const { protocol, host, port, tlsPort, broker, terminalNumber, plate } = access
  const isTerminal = protocol === 'jt808'
  return (
    <>
      <Facts
        facts={filled([
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
        ])}
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

/** May be broken after each slash; the break is no character, so that a copied topic is the topic. */
const breakable = (topic: string): ReactNode =>
  topic.split('/').map((part, at, parts) => (
    <Fragment key={parts.slice(0, at + 1).join('/')}>
      {part}
      {at < parts.length - 1 && (
        <>
          /<wbr />
        </>
      )}
    </Fragment>
  ))

const Topics = ({ topics }: { topics: readonly string[] }) => (
  <ul className="da-topics">
    {topics.map((topic) => (
      <li key={topic}>
        <code>{breakable(topic)}</code>
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
  const show = useAction(registrationEndpoints.showDeviceSecret, { onDone: ({ data }) => setSecret(data.secret) })
  const title = protocol === 'mqtt' ? t('MQTT 密码') : t('鉴权码')
  if (secret === null) {
    return (
      <div className="da-acts">
        <Button busy={show.isBusy} onClick={() => show.send({ vehicleId })}>
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

const { deviceAccess, changeDeviceSecret, openRegistration, unregisterVehicle } = registrationEndpoints

function Acts({ access }: { access: DeviceAccess }) {
  const { vehicleId, protocol, number, registrationOpenUntil } = access
  const [open, setOpen] = useState<'secret' | 'unregister' | null>(null)
  const isTerminal = protocol === 'jt808'
  const isOpen = registrationOpenUntil !== null && registrationOpenUntil > serverNow()
  const { usual } = registrationWindowMinutes
  const register = useAction(openRegistration, {
    stale: [deviceAccess],
    done: ({ data: { registrationOpenUntil: until } }) =>
      until === null
        ? t('已关闭 {{number}} 的终端注册', { number })
        : t('{{number}} 的终端可注册至 {{time}}', { number, time: dateTime(until) }),
  })
  return (
    <div className="da-acts">
      <Permit action="030802">
        {access.hasSecret && (
          <Button onClick={() => setOpen('secret')}>{isTerminal ? t('释放终端') : t('更换设备密码')}</Button>
        )}
        {isTerminal && (
          <Button busy={register.isBusy} onClick={() => register.send({ vehicleId, minutes: isOpen ? 0 : usual })}>
            {isOpen ? t('关闭终端注册') : t('开放注册 {{count}} 分钟', { count: usual })}
          </Button>
        )}
      </Permit>
      {access.heardAt === null && (
        <Permit action="030801">
          <Button onClick={() => setOpen('unregister')}>{t('撤销登记')}</Button>
        </Permit>
      )}
      {open === 'secret' && <ChangeSecret access={access} onClose={() => setOpen(null)} />}
      {open === 'unregister' && <Unregister access={access} onClose={() => setOpen(null)} />}
    </div>
  )
}

interface DialogProps {
  readonly access: DeviceAccess
  readonly onClose: () => void
}

const why = () => ({ reason: text({ label: t('原因（写入设备日志）') }) })

function ChangeSecret({ access, onClose }: DialogProps) {
  const { vehicleId, number, protocol } = access
  const isTerminal = protocol === 'jt808'
  return (
    <FormDialog
      title={isTerminal ? t('释放 {{number}} 的终端', { number }) : t('更换 {{number}} 的设备密码', { number })}
      call={changeDeviceSecret}
      about={vehicleId}
      fields={why()}
      input={({ reason }) => ({ vehicleId, reason })}
      submit={isTerminal ? t('释放终端') : t('更换密码')}
      stale={[deviceAccess]}
      done={() => t('{{number}} 的旧密码已失效', { number })}
      onClose={onClose}
    >
      <p>
        {isTerminal
          ? t('已注册的终端立即断开，它的鉴权码失效。此后 {{count}} 分钟内，车牌相符的终端可以注册。', {
              count: registrationWindowMinutes.usual,
            })
          : t('旧密码立即失效，在线的连接会断开。把新密码写入设备之前，车辆无法接入。')}
      </p>
    </FormDialog>
  )
}

function Unregister({ access, onClose }: DialogProps) {
  const { vehicleId, number } = access
  return (
    <FormDialog
      title={t('撤销 {{number}} 的登记', { number })}
      call={unregisterVehicle}
      about={vehicleId}
      fields={why()}
      input={({ reason }) => ({ vehicleId, reason })}
      submit={t('撤销登记')}
      stale={[searchEndpoints.searchVehicles, vehicleEndpoints.singleDeviceInfo]}
      done={() => t('已撤销 {{number}} 的登记', { number })}
      onClose={onClose}
    >
      <p>{t('车辆与设备会从系统中删除，编号与 IMEI 可以重新登记。')}</p>
    </FormDialog>
  )
}
