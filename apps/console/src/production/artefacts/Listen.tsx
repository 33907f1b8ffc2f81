import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { artefactEndpoints, type Artefact } from '@saddle/contract/production/artefacts.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

type Heard = 'idle' | 'loading' | 'playing' | 'failed'

function close(audio: RefObject<AudioContext | null>): void {
  void audio.current?.close()
  audio.current = null
}

/** Plays a voice pack. The bytes come by the sealed call and are decoded here, so that no address of them exists. */
export function Listen({ artefact }: { readonly artefact: Artefact }): ReactNode {
  const [heard, setHeard] = useState<Heard>('idle')
  const audio = useRef<AudioContext | null>(null)
  const stop = () => close(audio)
  useEffect(() => () => close(audio), [])
  const play = async (): Promise<void> => {
    setHeard('loading')
    try {
      const { data } = await call(artefactEndpoints.listenToVoice, { id: artefact.id })
      const context = new AudioContext()
      audio.current = context
      const bytes = Uint8Array.from(atob(data.base64), (letter) => letter.charCodeAt(0))
      const source = context.createBufferSource()
      source.buffer = await context.decodeAudioData(bytes.buffer)
      source.connect(context.destination)
      source.onended = () => setHeard('idle')
      source.start()
      setHeard('playing')
    } catch {
      stop()
      setHeard('failed')
    }
  }
  const isOn = heard === 'playing'
  return (
    <p className="form-choices">
      <Button
        busy={heard === 'loading'}
        onClick={() => {
          if (!isOn) return void play()
          stop()
          return setHeard('idle')
        }}
      >
        {isOn ? t('停止试听') : t('试听')}
      </Button>
      {heard === 'failed' && (
        <output>{artefact.format === 'amr' ? t('此浏览器不能播放 AMR，请在设备上试听') : t('文件无法播放')}</output>
      )}
    </p>
  )
}
