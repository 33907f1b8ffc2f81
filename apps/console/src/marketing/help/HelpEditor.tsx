import { useRef, type ReactNode } from 'react'
import { helpEndpoints } from '@saddle/contract/marketing/help.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { shrink } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'

interface BodyOptions extends Common {
  readonly initial: string
  /** Whose picture an upload becomes. */
  readonly agentId: number
  readonly isOptional?: boolean
}

/** The text of an article: Markdown with buttons for what it may hold. */
export function helpBody(options: BodyOptions): Field<string, string> {
  const { initial, agentId, isOptional = false, ...rest } = options
  return {
    ...rest,
    initial,
    read: (value) => {
      const text = value.trim()
      if (text === '' && !isOptional) return { fault: t('请填写{{label}}', { label: rest.label }) }
      return { value: text }
    },
    control: (props) => <HelpEditor {...props} agentId={agentId} />,
  }
}

/** What a button does with the selected text: wraps it, or begins its line. */
type Mark = { readonly around: readonly [before: string, after: string] } | { readonly start: string }

interface Selected {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The text after a mark was set, and what is selected then. */
export function withMark({ text, from, to }: Selected, mark: Mark, empty: string): Selected {
  if ('start' in mark) {
    const line = text.lastIndexOf('\n', from - 1) + 1
    const next = text.slice(0, line) + mark.start + text.slice(line)
    return { text: next, from: from + mark.start.length, to: to + mark.start.length }
  }
  const [before, after] = mark.around
  const inner = from === to ? empty : text.slice(from, to)
  const next = text.slice(0, from) + before + inner + after + text.slice(to)
  return { text: next, from: from + before.length, to: from + before.length + inner.length }
}

function HelpEditor(props: ControlProps<string> & { readonly agentId: number }): ReactNode {
  const { id, label, value, onChange, limits, isInvalid, describedBy, agentId } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const apply = (mark: Mark, empty: string): void => {
    const own = area.current
    if (own === null) return
    const next = withMark({ text: value, from: own.selectionStart, to: own.selectionEnd }, mark, empty)
    onChange(next.text)
    // After the new text is drawn.
    requestAnimationFrame(() => {
      own.focus()
      own.setSelectionRange(next.from, next.to)
    })
  }
  const keep = useAction(helpEndpoints.keepHelpPicture, {
    onDone: ({ data }) => {
      const at = area.current?.selectionEnd ?? value.length
      const line = `\n![${t('图片')}](photo:${data.photoId})\n`
      onChange(value.slice(0, at) + line + value.slice(at))
    },
  })
  const upload = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    try {
      const { base64 } = await shrink(file)
      keep.send({ agentId, photo: base64 })
    } catch {
      notify.error({ text: t('{{name}} 不是可以识别的照片', { name: file.name }) })
    }
  }
  return (
    <div className="help-editor">
      <fieldset className="help-tools" aria-label={t('{{label}}的格式', { label })}>
        <Button onClick={() => apply({ start: '## ' }, '')}>{t('标题')}</Button>
        <Button onClick={() => apply({ around: ['**', '**'] }, t('重点'))}>{t('加粗')}</Button>
        <Button onClick={() => apply({ start: '- ' }, '')}>{t('列表')}</Button>
        <Button onClick={() => apply({ start: '1. ' }, '')}>{t('步骤')}</Button>
        <Button onClick={() => apply({ around: ['[', '](https://)'] }, t('链接文字'))}>{t('链接')}</Button>
        <label aria-busy={keep.isBusy}>
          {keep.isBusy ? t('正在上传') : t('图片')}
          <input
            type="file"
            accept="image/*"
            className="visually-hidden"
            aria-label={t('为{{label}}添加图片', { label })}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              void upload(file)
            }}
          />
        </label>
      </fieldset>
      <span className="form-long">
        <textarea
          ref={area}
          id={id}
          className="form-input"
          rows={10}
          maxLength={limits.maxLength}
          value={value}
          aria-invalid={isInvalid}
          aria-describedby={describedBy}
          onChange={({ target }) => onChange(target.value)}
        />
        {limits.maxLength !== undefined && (
          <small className="form-count" aria-hidden="true">
            {value.length} / {limits.maxLength}
          </small>
        )}
      </span>
    </div>
  )
}
