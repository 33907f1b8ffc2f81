import type { ReactNode } from 'react'
import { deviceProtocolLabels, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { importRowsMax } from '@saddle/contract/production/importWords.ts'
import { useAreaOptions } from '#kit/areaOptions.ts'
import { call } from '#kit/api/client.ts'
import { TemplateButton } from '#kit/exports/TemplateButton.tsx'
import { choice, flag, select } from '#kit/form/choiceFields.tsx'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { sheetFile } from '#kit/form/pickedFile.tsx'
import { text } from '#kit/form/textFields.tsx'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleImports } from './words.ts'

interface Props {
  readonly onClose: () => void
  readonly onDone: (id: number) => void
}

/** A file of vehicles: it is checked line by line, and nothing of it counts before somebody has seen the result. */
export function UploadForm({ onClose, onDone }: Props): ReactNode {
  const areas = useAreaOptions()
  return (
    <FormDrawer
      title={t('上传车辆清单')}
      call={importEndpoints.uploadCarIdExcel}
      about="new"
      fields={{
        areaId: select<number>({ label: t('加盟商与服务区'), options: areas }),
        protocol: choice<DeviceProtocol>({
          label: t('协议'),
          initial: 'mqtt',
          options: deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] })),
        }),
        sheet: sheetFile({
          label: t('车辆清单（xlsx 或 CSV）'),
          at: 'base64',
          refusals: ['sheet_format', 'sheet_rows', 'sheet_columns', 'sheet_too_large'],
        }),
        newModels: text({
          label: t('新型号'),
          hint: t('平台还没有的型号，用逗号隔开；清单中其余未知的型号视为错误'),
          isOptional: true,
        }),
        isImeiUnchecked: flag({
          label: t('IMEI 校验位'),
          initial: false,
          says: t('不核对 IMEI 校验位（少数厂家的编号不符合标准）'),
        }),
      }}
      input={({ sheet, newModels, ...rest }) => ({
        ...rest,
        newModels: (newModels ?? '')
          .split(/[,，、]+/)
          .map((name) => name.trim())
          .filter((name) => name !== ''),
        name: sheet.name,
        base64: sheet.base64,
      })}
      submit={t('上传并检查')}
      stale={staleImports}
      done={({ data }) =>
        data.bad === 0
          ? t('{{count}} 行全部无误，确认后导入', { count: data.total })
          : t('{{count}} 行中有 {{bad}} 行不能导入，请查看原因', { count: data.total, bad: number(data.bad) })
      }
      onDone={({ data }) => onDone(data.id)}
      onClose={onClose}
    >
      <p>
        {t('每个文件最多 {{rows}} 辆。上传后逐行检查，确认之前不会登记车辆。', { rows: number(importRowsMax) })}{' '}
        <TemplateButton load={() => call(importEndpoints.vehicleImportTemplate, {})} />
      </p>
    </FormDrawer>
  )
}
