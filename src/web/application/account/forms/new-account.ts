export interface NewAccount {
  name: string
  email: string
  password: string
  password_confirmation: string
}
