import { expect, it } from 'vitest'
import { handlersOf } from './domain.ts'

const answer = () => Promise.resolve(1)

it('merges the handlers of all domains, also where one has none', () => {
  expect(handlersOf({ a: { handlers: { one: answer } }, b: {}, c: { handlers: { two: answer } } })).toEqual({
    one: answer,
    two: answer,
  })
})

it('refuses two domains that answer the same call', () => {
  expect(() => handlersOf({ a: { handlers: { one: answer } }, b: { handlers: { one: answer } } })).toThrow(
    'b answers one, which another domain answers already',
  )
})
