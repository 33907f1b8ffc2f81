import { useEffect, useId, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { ActionOptions } from '#kit/action/action.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { ApiError } from '#kit/api/client.ts'
import { wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { Fields, Inputs, Values } from './field.ts'
import { DraftOffer } from './DraftOffer.tsx'
import { useForm, type FormOptions, type ShownField } from './useForm.ts'
import './form.css'

export interface FormProps<E extends Endpoint, F extends Fields>
  extends FormOptions<E, F>, Pick<ActionOptions<E>, 'stale' | 'done' | 'undo' | 'undone' | 'onDone'> {
  /** The button's label with object and sum; it receives only the inputs that can be read. */
  readonly submit: string | ((known: Partial<Inputs<F>>) => string)
  /** The consequences of the action, shown above the fields. */
  readonly children?: ReactNode | ((values: Values<F>, isDirty: boolean) => ReactNode)
  /** Called at the end: done, passed on for a second approval, or cancelled. */
  readonly onClose?: () => void
}

/** The container of a form asks it before closing. */
export interface Closing {
  readonly tryClose: () => void
}

interface BodyProps<E extends Endpoint, F extends Fields> extends FormProps<E, F> {
  /** Set by the form's container. */
  readonly closing?: Ref<Closing>
}

/**
 * A form of one call: fields, limits and texts from the contract, the reason beside a disabled button, refusals at
 * their field or above the button, and a draft that survives leaving. For use in a page; see `FormDialog`.
 */
export function Form<E extends Endpoint, F extends Fields>(props: BodyProps<E, F>): ReactNode {
  const { call, stale, done, undo, undone, onDone, submit, children, onClose, closing } = props
  const action = useAction<E>(call, {
    ...(stale && { stale }),
    ...(done && { done }),
    ...(undo && { undo }),
    ...(undone && { undone }),
    tells: 'form',
    onDone: (answer, input) => {
      end()
      onDone?.(answer, input)
    },
    onHeld: () => end(),
  })
  const form = useForm<E, F>(props, action.failure)
  const [isAsking, setAsking] = useState(false)
  const { input, isDirty } = form
  const end = (): void => {
    form.draft.discard()
    onClose?.()
  }
  const tryClose = (): void => {
    if (action.isBusy) return
    if (isAsking) setAsking(false)
    else if (isDirty) setAsking(true)
    else onClose?.()
  }
  useImperativeHandle(closing, () => ({ tryClose }))
  const own = useRef<HTMLFormElement>(null)
  useFocusOnFirst(own, closing !== undefined)
  const isAtField = form.shown.some(
    ({ field }) => action.failure !== null && field.refusals?.includes(action.failure.code),
  )
  useShownRefusal(own, isAtField ? action.failure : null)
  return (
    <form
      ref={own}
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.tried()
        if (input !== null) action.send(input)
      }}
    >
      {form.draft.isOffered && <DraftOffer onTakeUp={form.draft.takeUp} onDiscard={form.draft.discard} />}
      {typeof children === 'function' ? children(form.values, isDirty) : children}
      {form.shown.map((one) => (
        <FieldFrame key={one.name} {...one} />
      ))}
      {action.failure !== null && !isAtField && <Refusal failure={action.failure} isUnsure={action.isUnsure} />}
      {isAsking ? (
        <LeaveQuestion onStay={() => setAsking(false)} onLeave={end} />
      ) : (
        <Foot
          label={typeof submit === 'function' ? submit(form.known) : submit}
          reason={form.reason}
          isReady={input !== null}
          isBusy={action.isBusy}
          {...(onClose && { onCancel: tryClose })}
        />
      )}
    </form>
  )
}

/** The first field takes the focus; not on a phone, where the keyboard would cover the text above it. */
function useFocusOnFirst(form: { readonly current: HTMLFormElement | null }, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || globalThis.matchMedia('(pointer: coarse)').matches) return
    form.current?.querySelector<HTMLElement>('input:not([type=file]), textarea, select')?.focus()
  }, [form, isWanted])
}

/** The field that a refusal stands at comes into view: the button that was pressed may be far below. */
function useShownRefusal(form: { readonly current: HTMLFormElement | null }, failure: ApiError | null): void {
  useEffect(() => {
    if (failure !== null) form.current?.querySelector('.form-fault')?.scrollIntoView({ block: 'center' })
  }, [form, failure])
}

function FieldFrame({ field, label, hint, value, limits, fault, faultAt, change, leave }: ShownField) {
  const id = useId()
  const Frame = field.isGroup === true ? 'fieldset' : 'div'
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault === null ? [] : [`${id}-fault`])]
  const title = (
    <>
      {label}
      {field.note !== undefined && <small>{field.note}</small>}
    </>
  )
  return (
    <Frame className="form-field" data-width={field.width} onBlur={leave}>
      {field.isGroup === true ? <legend>{title}</legend> : <label htmlFor={id}>{title}</label>}
      {field.control({
        id,
        label,
        value,
        onChange: change,
        limits,
        isInvalid: fault !== null,
        describedBy: described.length === 0 ? undefined : described.join(' '),
        faultAt,
      })}
      {hint !== undefined && (
        <p className="form-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p className="form-fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </Frame>
  )
}

interface FootProps {
  readonly label: string
  readonly reason: string | null
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly onCancel?: () => void
}

function Foot({ label, reason, isReady, isBusy, onCancel }: FootProps) {
  const id = useId()
  return (
    <div className="form-foot">
      <output className="form-reason" id={id}>
        {isReady ? '' : reason}
      </output>
      {onCancel && <Button onClick={onCancel}>{t('取消')}</Button>}
      <Button type="submit" look="primary" busy={isBusy} disabled={!isReady} aria-describedby={id}>
        {label}
      </Button>
    </div>
  )
}

function Refusal({ failure, isUnsure }: { failure: ApiError; isUnsure: boolean }) {
  return (
    <p className="form-refusal" role="alert">
      {refusalText(failure, isUnsure)}
    </p>
  )
}

function refusalText(failure: ApiError, isUnsure: boolean): string {
  if (failure.code === 'idempotency_mismatch') return t('上一次提交已经送达，请关闭后查看结果。')
  if (isUnsure) return t('没有收到服务器的答复，填写的内容都在。可以再提交一次，不会重复执行。')
  return wordsOf(failure)
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <div className="form-foot" role="alertdialog" aria-label={t('放弃填写的内容？')}>
      <span className="form-reason">{t('放弃填写的内容？')}</span>
      <Button onClick={onLeave}>{t('放弃')}</Button>
      <Button ref={stay} look="primary" onClick={onStay}>
        {t('继续填写')}
      </Button>
    </div>
  )
}
