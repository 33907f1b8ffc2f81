import type { ReactNode } from 'react'
import { deviceProtocolLabels, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { useAreaOptions } from '#kit/areaOptions.ts'
import { flag, select } from '#kit/form/choiceFields.tsx'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { text, vehicleNumber } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { numberOfCode, partOfCode } from '#kit/scan/codes.ts'
import { scannedText } from '#kit/scan/scannedText.tsx'
import { staleImports } from './words.ts'

/** One vehicle by its labels: a scanner at the bench types into the fields one after the other. */
export function SingleForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const areas = useAreaOptions()
  const { data } = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  return (
    <FormDrawer
      title={t('扫码登记一辆车')}
      call={importEndpoints.uploadCarIdSingle}
      about="single"
      fields={{
        number: scannedText(vehicleNumber({ refusals: ['vehicle_number_taken'], hint: 'SD000001' }), numberOfCode),
        imei: scannedText(
          text({
            label: 'IMEI',
            hint: t('15 位数字'),
            refusals: ['imei_taken', 'imei_check_digit', 'unknown_device_refused'],
          }),
          (code) => partOfCode('imei', code),
        ),
        serial: scannedText(text({ label: 'SN', isOptional: true, refusals: ['serial_taken'] }), (code) =>
          partOfCode('serial', code),
        ),
        mac: scannedText(
          text({ label: 'MAC', isOptional: true, hint: 'A4:C1:38:00:00:01', refusals: ['mac_taken'] }),
          (code) => partOfCode('mac', code),
        ),
        iccid: scannedText(text({ label: 'ICCID', isOptional: true, refusals: ['iccid_taken'] }), (code) =>
          partOfCode('iccid', code),
        ),
        model: text({ label: t('型号'), suggestions: data?.data.models ?? [] }),
        protocol: select<DeviceProtocol>({
          label: t('协议'),
          initial: 'mqtt',
          options: deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] })),
        }),
        areaId: select<number>({ label: t('加盟商与服务区'), options: areas }),
        isImeiUnchecked: flag({
          label: t('IMEI 校验位'),
          initial: false,
          says: t('不核对 IMEI 校验位（少数厂家的编号不符合标准）'),
        }),
      }}
      input={(values) => values}
      submit={t('登记')}
      stale={staleImports}
      done={(answer) => t('已登记 {{number}}，尚未投放', { number: answer.data.number })}
      onClose={onClose}
    >
      <p>{t('用相机扫描部件上的标签，或用扫码枪依次扫入各栏；登记后设备可以连接，车辆尚未投放。')}</p>
    </FormDrawer>
  )
}
