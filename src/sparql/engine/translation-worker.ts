import { serve } from '../../platform/threads/serve.ts'
import { translate, TRANSLATING } from './translation.ts'

serve(TRANSLATING, {
  translate: (question, moved) => {
    const translated = translate(question)
    if (translated !== null) moved.push(translated.body.buffer)
    return translated
  },
})
