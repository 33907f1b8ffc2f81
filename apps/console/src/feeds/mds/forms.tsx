import type { ReactNode } from 'react'
import type { AnswerOf } from '@saddle/contract/endpoint.ts'
import {
  jurisdictionEndpoints,
  jurisdictionLimits,
  type Jurisdiction,
  type MdsClient,
} from '@saddle/contract/feeds/mds.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { many } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const { listJurisdictions, saveMdsProvider, createJurisdiction, endJurisdiction, createMdsClient, revokeMdsClient } =
  jurisdictionEndpoints
const stale = [listJurisdictions]

export type MadeClient = AnswerOf<typeof createMdsClient>['data']

interface Closing {
  readonly onClose: () => void
}
type Shown = AnswerOf<typeof listJurisdictions>['data']

export function SaveProvider({ shown, onClose }: Closing & { readonly shown: Shown }): ReactNode {
  const { agentId, providerId, version } = shown
  return (
    <FormDialog
      title="provider_id"
      call={saveMdsProvider}
      about={String(agentId)}
      submit={t('保存')}
      stale={stale}
      done={() => t('已保存')}
      onClose={onClose}
      fields={{
        providerId: text({
          label: 'provider_id',
          initial: providerId ?? '',
          hint: t('在 OMF 登记的 UUID；更换后，城市会把本公司当作另一家运营方'),
        }),
      }}
      input={(typed) => ({ agentId, version, ...typed })}
    />
  )
}

export function CreateJurisdiction({ agentId, onClose }: Closing & { readonly agentId: number }): ReactNode {
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, { agentId }, { staleMs: 300_000 })
  const areas = data?.data.list ?? []
  return (
    <FormDialog
      title={t('新建辖区')}
      call={createJurisdiction}
      about={String(agentId)}
      submit={t('新建')}
      stale={stale}
      done={() => t('辖区已新建')}
      onClose={onClose}
      fields={{
        name: text({ label: t('名称'), hint: t('例如城市或区的名称') }),
        areaIds: many({
          label: t('以服务区为边界'),
          options: areas.map((area) => ({ value: area.id, label: area.name })),
          note: t('选填'),
        }),
        geoJson: longText({
          label: t('或城市给出的边界（GeoJSON）'),
          isOptional: true,
          hint: t('多边形或多个多边形，坐标为 WGS-84'),
        }),
      }}
      input={(typed) => ({ agentId, ...typed })}
    />
  )
}

export function EndJurisdiction({
  jurisdiction,
  onClose,
}: Closing & { readonly jurisdiction: Jurisdiction }): ReactNode {
  const { id, version, name } = jurisdiction
  return (
    <FormDialog
      title={t('结束辖区“{{name}}”', { name })}
      call={endJurisdiction}
      about={String(id)}
      submit={t('结束辖区')}
      stale={stale}
      done={() => t('辖区已结束')}
      onClose={onClose}
      fields={{}}
      input={() => ({ id, version })}
    >
      <p>{t('辖区的全部凭据立即失效，且不能恢复。')}</p>
    </FormDialog>
  )
}

interface Making extends Closing {
  readonly jurisdiction: Jurisdiction
  readonly onMade: (made: MadeClient) => void
}

export function CreateClient({ jurisdiction, onMade, onClose }: Making): ReactNode {
  return (
    <FormDialog
      title={t('为辖区“{{name}}”新建凭据', { name: jurisdiction.name })}
      call={createMdsClient}
      about={String(jurisdiction.id)}
      submit={t('新建')}
      stale={stale}
      done={() => t('凭据已生成，请立即保存')}
      onDone={(answer) => onMade(answer.data)}
      onClose={onClose}
      fields={{
        name: text({ label: t('名称'), hint: t('例如城市的部门或程序') }),
        days: number({ label: t('有效期'), unit: t('天'), initial: jurisdictionLimits.daysDefault }),
      }}
      input={(typed) => ({ jurisdictionId: jurisdiction.id, ...typed })}
    />
  )
}

export function RevokeClient({ client, onClose }: Closing & { readonly client: MdsClient }): ReactNode {
  return (
    <FormDialog
      title={t('停用凭据“{{name}}”', { name: client.name })}
      call={revokeMdsClient}
      about={String(client.id)}
      submit={t('停用')}
      stale={stale}
      done={() => t('已停用')}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: client.id })}
    >
      <p>{t('停用立即生效且不能恢复，使用它的程序将不能再读取数据。')}</p>
    </FormDialog>
  )
}
