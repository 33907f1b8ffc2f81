import type { ReactNode } from 'react'
import { deviceProtocolLabels, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { artefactBytesMax, artefactEndpoints, type ArtefactKind } from '@saddle/contract/production/artefacts.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { longText, text } from '#kit/form/textFields.tsx'
import { pickedFile } from '#kit/form/pickedFile.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { staleUpgrades } from '../upgrades/words.ts'

/** Firmware or a voice pack with the signature that its maker gave. */
export function UploadForm({
  kind,
  onClose,
}: {
  readonly kind: ArtefactKind
  readonly onClose: () => void
}): ReactNode {
  const agents = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const companies = (agents.data?.data.rows ?? []).map(({ agentId, company }) => ({ value: agentId, label: company }))
  if (agents.data === undefined) return null
  const isVoice = kind === 'voice'
  return (
    <FormDrawer
      title={isVoice ? t('上传语音包') : t('上传固件')}
      call={artefactEndpoints.uploadArtefact}
      about={kind}
      fields={{
        agentId: select<number>({ label: t('加盟商'), options: companies, initial: companies[0]?.value ?? null }),
        name: text({ label: t('名称'), refusals: ['name_taken'] }),
        version: text({
          label: t('版本'),
          hint: isVoice ? '' : t('与固件文件头一致，设备升级后上报的版本'),
          refusals: ['artefact_header'],
        }),
        protocol: choice<DeviceProtocol>({
          label: t('协议'),
          initial: 'mqtt',
          options: deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] })),
        }),
        models: words({ label: t('适用车型'), hint: t('用逗号隔开，不填则该协议的全部车型') }),
        follows: words({ label: t('可从哪些版本升级'), hint: t('用逗号隔开，不填则任何版本都可以') }),
        file: pickedFile({
          label: isVoice ? t('语音文件') : t('固件文件'),
          at: 'base64',
          bytesMax: artefactBytesMax[kind],
          tooLarge: t('文件超过 {{kib}} KB', { kib: artefactBytesMax[kind] / 1024 }),
          accept: isVoice ? '.wav,.mp3,.amr' : '.bin,.sdfw',
          refusals: ['artefact_format', 'artefact_too_large'],
        }),
        signature: text({
          label: t('签名（Ed25519，Base64）'),
          hint: t('由固件方对文件字节签名；平台只保存公钥，验证不通过不会保存'),
          refusals: ['artefact_unsigned'],
        }),
        note: longText({ label: t('备注'), isOptional: true }),
      }}
      input={({ file, ...values }) => ({ kind, ...values, base64: file.base64 })}
      submit={isVoice ? t('上传语音包') : t('上传固件')}
      stale={staleUpgrades}
      done={() => t('已保存，签名与格式验证通过')}
      onClose={onClose}
    />
  )
}

/** Words separated by commas. */
function words(options: { readonly label: string; readonly hint: string }): Field<string, string[]> {
  const { note: _note, ...field } = text({ ...options, isOptional: true })
  return {
    ...field,
    note: t('选填'),
    read: (value) => ({ value: value.split(/[,，、\s]+/).filter((word) => word !== '') }),
  }
}
