import Drawer from 'antd/es/drawer'
import Modal from 'antd/es/modal'
import { useRef, type ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { Fields } from './field.ts'
import { Form, type Closing, type FormProps } from './Form.tsx'

interface DialogProps<E extends Endpoint, F extends Fields> extends FormProps<E, F> {
  readonly title: string
  readonly onClose: () => void
  readonly widthPx?: number
}

/** A form in a dialog. Esc, an outside click and the close button ask before typed text is lost. */
export function FormDialog<E extends Endpoint, F extends Fields>(props: DialogProps<E, F>): ReactNode {
  const { title, widthPx = 520, ...form } = props
  const closing = useRef<Closing>(null)
  return (
    <Modal open title={title} width={widthPx} footer={null} onCancel={() => closing.current?.tryClose()}>
      <Form {...form} closing={closing} />
    </Modal>
  )
}

/** The same in a side drawer, for forms that are longer than a screen. */
export function FormDrawer<E extends Endpoint, F extends Fields>(props: DialogProps<E, F>): ReactNode {
  const { title, widthPx = 520, ...form } = props
  const closing = useRef<Closing>(null)
  return (
    <Drawer open title={title} size={widthPx} onClose={() => closing.current?.tryClose()}>
      <Form {...form} closing={closing} />
    </Drawer>
  )
}
