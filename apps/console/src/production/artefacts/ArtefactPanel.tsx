import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import {
  artefactEndpoints,
  artefactKindLabels,
  artefactStateLabels,
  type Artefact,
} from '@saddle/contract/production/artefacts.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { CampaignForm } from '../upgrades/CampaignForm.tsx'
import { Listen } from './Listen.tsx'
import { sizeText, staleUpgrades } from '../upgrades/words.ts'

/** One artefact: what it is for, by whom it is signed, and where it is. */
export function ArtefactPanel({ artefact }: { readonly artefact: Artefact }): ReactNode {
  const { state } = artefact
  return (
    <DetailPanel
      label={t('固件或语音包详情')}
      title={
        <>
          <strong>
            {artefact.name} {artefact.version}
          </strong>{' '}
          <Mark tone={state === 'on' ? 'good' : 'off'}>{t(artefactStateLabels[state])}</Mark>
        </>
      }
      foot={<Acts artefact={artefact} />}
    >
      {artefact.kind === 'voice' && <Listen artefact={artefact} />}
      <Facts
        facts={[
          [t('类型'), t(artefactKindLabels[artefact.kind])],
          [t('协议'), deviceProtocolLabels[artefact.protocol]],
          [t('适用车型'), artefact.models.join(t('、')) || t('全部')],
          [t('可从哪些版本升级'), artefact.follows.join(t('、')) || t('任何版本')],
          [t('大小'), `${sizeText(artefact.bytes)} · ${artefact.format.toUpperCase()}`],
          [t('摘要（SHA-256）'), <code key="sha">{artefact.sha256}</code>],
          [t('签名密钥'), artefact.signer],
          [t('活动安装的车辆'), number(artefact.installed)],
          [t('进行中的活动'), number(artefact.campaigns)],
          [t('备注'), artefact.note || '--'],
          [t('加盟商'), artefact.company],
          [t('上传人'), `${artefact.createdBy} · ${dateTime(artefact.createdAt)}`],
        ]}
      />
    </DetailPanel>
  )
}

function Acts({ artefact }: { readonly artefact: Artefact }) {
  const { id, state } = artefact
  const [isOpen, setOpen] = useState(false)
  const turn = useAction(artefactEndpoints.switchArtefact, {
    stale: staleUpgrades,
    done: ({ data }) => (data.state === 'on' ? t('已启用') : t('已停用')),
    undo: (_, input) => ({ id, state: input.state === 'on' ? ('off' as const) : ('on' as const) }),
  })
  return (
    <Permit action="0601">
      <p className="form-choices">
        <Button busy={turn.isBusy} onClick={() => turn.send({ id, state: state === 'on' ? 'off' : 'on' })}>
          {state === 'on' ? t('停用') : t('启用')}
        </Button>
        {state === 'on' && (
          <Button look="primary" onClick={() => setOpen(true)}>
            {artefact.kind === 'voice' ? t('分配到车辆') : t('新建升级活动')}
          </Button>
        )}
        {isOpen && <CampaignForm artefact={artefact} onClose={() => setOpen(false)} />}
      </p>
    </Permit>
  )
}
