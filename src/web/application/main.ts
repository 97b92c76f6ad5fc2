import { VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import { queryClient } from './client/query-client.ts'
import { createPageRouter } from './router.ts'
import AppShell from './shell/AppShell.vue'
import { applyAppearance } from './shell/menu/appearance.ts'
import './styles/styles.css'

applyAppearance()
const app = createApp(AppShell)
app.use(VueQueryPlugin, { queryClient })
app.use(createPageRouter())
app.mount('#application')
