import type { ReactNode } from 'react'
import { lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import { unitEndpoints, unitPartLabels, unitParts, type UnitPart } from '@saddle/contract/production/units.ts'
import { choice, flag } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { partOfCode } from '#kit/scan/codes.ts'
import { scannedText } from '#kit/scan/scannedText.tsx'
import { staleUnits } from './words.ts'

interface Props {
  readonly vehicleId: number
  readonly onClose: () => void
}

/** Replaces a part; the numbers before and after stay in the vehicle's life. */
export function SwapForm({ vehicleId, onClose }: Props): ReactNode {
  return (
    <FormDialog
      title={t('更换部件')}
      call={unitEndpoints.swapPart}
      about={vehicleId}
      fields={{
        part: choice<UnitPart>({
          label: t('部件'),
          initial: 'device',
          options: unitParts.map((value) => ({ value, label: t(unitPartLabels[value]) })),
        }),
        imei: scannedText(
          text({
            label: t('新 IMEI'),
            isOptional: true,
            note: '',
            refusals: ['imei_taken', 'imei_check_digit', 'unknown_device_refused'],
          }),
          (code) => partOfCode('imei', code),
        ),
        serial: scannedText(text({ label: t('新 SN'), isOptional: true, refusals: ['serial_taken'] }), (code) =>
          partOfCode('serial', code),
        ),
        mac: scannedText(text({ label: t('新 MAC'), isOptional: true, refusals: ['mac_taken'] }), (code) =>
          partOfCode('mac', code),
        ),
        iccid: scannedText(text({ label: t('新 ICCID'), isOptional: true, refusals: ['iccid_taken'] }), (code) =>
          partOfCode('iccid', code),
        ),
        isImeiUnchecked: flag({
          label: t('IMEI 校验位'),
          initial: false,
          says: t('不核对 IMEI 校验位（少数厂家的编号不符合标准）'),
        }),
        reason: reason({ presets: [t('不上线'), t('无定位'), t('进水'), t('损坏')] }),
      }}
      adjust={({ part }) => ({
        imei: { isHidden: part !== 'device' },
        serial: { isHidden: part !== 'device' },
        mac: { isHidden: part !== 'device' && part !== 'bluetooth' },
        iccid: { isHidden: part !== 'device' && part !== 'sim' },
        isImeiUnchecked: { isHidden: part !== 'device' },
      })}
      input={(values) => ({ vehicleId, ...values })}
      submit={t('更换部件')}
      stale={[...staleUnits, factoryTestEndpoints.factoryTestBench, lifeEndpoints.vehicleLife]}
      done={() => t('已更换，新旧号码记入车辆经历')}
      onClose={onClose}
    >
      <p>{t('更换中控后旧设备不能再连接；检测合格的车辆须重新检测。')}</p>
    </FormDialog>
  )
}
