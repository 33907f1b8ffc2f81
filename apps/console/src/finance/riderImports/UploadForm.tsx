import type { ReactNode } from 'react'
import { riderImportEndpoints, riderImportRowsMax } from '@saddle/contract/finance/riderImports.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { call } from '#kit/api/client.ts'
import { TemplateButton } from '#kit/exports/TemplateButton.tsx'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { sheetFile } from '#kit/form/pickedFile.tsx'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { staleImports } from './words.ts'

interface Props {
  readonly onClose: () => void
  readonly onDone: (id: number) => void
}

/** A file of riders: it is checked line by line, and nothing of it counts before somebody has seen the result. */
export function UploadForm({ onClose, onDone }: Props): ReactNode {
  const agents = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const companies = (agents.data?.data.rows ?? []).map(({ agentId, company }) => ({ value: agentId, label: company }))
  if (agents.data === undefined) return null
  return (
    <FormDrawer
      title={t('上传用户清单')}
      call={riderImportEndpoints.checkRiderSheet}
      about="new"
      fields={{
        agentId: select<number>({
          label: t('加盟商'),
          options: companies,
          initial: companies.length === 1 ? (companies[0]?.value ?? null) : null,
        }),
        sheet: sheetFile({
          label: t('用户清单（xlsx 或 CSV）'),
          at: 'base64',
          refusals: ['sheet_format', 'sheet_rows', 'sheet_columns', 'sheet_too_large', 'rider_import_known'],
        }),
      }}
      input={({ agentId, sheet }) => ({ agentId, name: sheet.name, base64: sheet.base64 })}
      submit={t('上传并检查')}
      stale={staleImports}
      done={({ data }) =>
        data.bad === 0
          ? t('{{count}} 行全部无误，期初余额共 {{yuan}} 元', { count: data.total, yuan: money(data.cents) })
          : t('{{count}} 行中有 {{bad}} 行不能导入，请查看原因', { count: data.total, bad: number(data.bad) })
      }
      onDone={({ data }) => onDone(data.id)}
      onClose={onClose}
    >
      <p>
        {t('每个文件最多 {{rows}} 位用户。上传后逐行检查并加密保存，确认之前不新增用户，也不记账。', {
          rows: number(riderImportRowsMax),
        })}{' '}
        <TemplateButton load={() => call(riderImportEndpoints.riderImportTemplate, {})} />
      </p>
    </FormDrawer>
  )
}
