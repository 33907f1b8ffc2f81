import App from 'antd/es/app'
import { operatorDeviceEndpoints, type OperatorDevice } from '@saddle/contract/identity/devices.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'

const invalidates = [operatorDeviceEndpoints.deviceAuthorizeInfo]
const idsOf = (rows: readonly OperatorDevice[]): number[] => rows.map((row) => row.id)

/** Approving can be undone; revoking ends sessions, so it needs confirmation. */
export function useDecisions(onDone: () => void) {
  const { modal } = App.useApp()
  const confirm = useEndpointMutation(operatorDeviceEndpoints.deviceAuthorizeConfirm, {
    invalidates,
    onSuccess: onDone,
  })
  const remove = useEndpointMutation(operatorDeviceEndpoints.deviceAuthorizeRemove, { invalidates, onSuccess: onDone })

  const approve = (rows: readonly OperatorDevice[]): void => {
    const ids = idsOf(rows)
    confirm.mutate(
      { input: { ids } },
      {
        onSuccess: () =>
          notify.success({
            text: t('已授权 {{count}} 台设备', { count: ids.length }),
            action: { label: t('撤销'), run: () => remove.mutate({ input: { ids } }) },
          }),
      },
    )
  }
  const refuse = (rows: readonly OperatorDevice[]): void => {
    const ids = idsOf(rows)
    remove.mutate(
      { input: { ids } },
      { onSuccess: () => notify.success({ text: t('已拒绝 {{count}} 台设备', { count: ids.length }) }) },
    )
  }
  const askRemove = (rows: readonly OperatorDevice[]): void => {
    const names = rows.map((row) => `${row.operatorName} · ${row.name}`)
    void modal.confirm({
      title: t('取消 {{count}} 台设备的授权', { count: rows.length }),
      content: t('{{names}}：该设备上的会话会立即结束。', { names: names.slice(0, 5).join('、') }),
      okText: t('取消 {{count}} 台设备的授权', { count: rows.length }),
      okButtonProps: { danger: true },
      cancelText: t('返回'),
      onOk: () => remove.mutateAsync({ input: { ids: idsOf(rows) } }).catch(() => null),
    })
  }
  return { approve, refuse, askRemove, isBusy: confirm.isPending || remove.isPending }
}
