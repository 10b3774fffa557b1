// SPDX-License-Identifier: Apache-2.0 OR MIT
// One known answer for each KEM, by which `codekem selftest` recognises a broken build or machine.
//
// The digests come from separate models of the specifications in Python, not from this library;
// those of HQC of 2023 from the crates oqs-sys and pqcrypto-hqc.
#include "known_answers.hpp"

namespace codekem {
namespace {

constexpr struct {
  const char *kem;
  const char *digest;
} answers[] = {
    {"BIKE-L1", "6f5f68b2bd69224e95cadbbb9b17c794fb93ccc61a5bc6c57896bbdcd4fa8231"},
    {"BIKE-L3", "d1a87d17f8653fddb417ac7f0ef073ab09a672682f836c4019bdcd45614ebf71"},
    {"BIKE-L5", "66872688053e2e5d23a237c22b4ef091b8468eb35f917a8c866271a3f64be467"},
    {"HQC-1", "238df7830c8e34d1cd2b6dfeb65bd8a49f77d6151c2b917060d57873d6a5788b"},
    {"HQC-3", "5b179ee392e19ce631aa8c9ee16a8bfc6ab1b803b7092714c4f5185b6a216b78"},
    {"HQC-5", "a1a8e5bb290c5a952d5510246018cdd03a92ce12cb7e66adfe15a7f5edef210d"},
    {"mceliece348864", "8cc94b4094680550aa6627c0c8e802c649ca2edf97d6767869b62df57f172c3b"},
    {"mceliece348864pc", "1f3258874da0256c0739d6460c47cc73fbc43cd1f5ac15936e606cda7718883b"},
    {"mceliece348864f", "6853c67f4edb98c1321e80cc6be3b6852acd04ed4f95f09f282b44e519d031a8"},
    {"mceliece348864pcf", "a22dc1436eb64b3df5583907e6855ee7a529ea1bd9ac3bbaa67cf4b00f8e98b8"},
    {"mceliece460896", "4ac34a2613fb8ac5ae7ae09d5ba59c2d46c4e8d6c935a02d7e6fe75199865e9d"},
    {"mceliece460896pc", "93faaf8b3d1d17e984ea3ee299a086e88105f0c9dedf466a23407f04c8486f2f"},
    {"mceliece460896f", "e8ffc71a4163617f2445bc122b0e7c5f7ca95ebd422cc2d9c633e9fc3fedd88f"},
    {"mceliece460896pcf", "92e220ed7939c683585d3c96270923e2e47fd613b1521b5806c64f53da457928"},
    {"mceliece6688128", "2e2ce81277dceab002bb7b2499b6ea3c2d4e9f3bbab7ff12c8a90cac271f732d"},
    {"mceliece6688128pc", "e62d1d5af05330dc082404f36e69bfb2455ca4b9b3887d9bd81328ea5b929481"},
    {"mceliece6688128f", "2e2ce81277dceab002bb7b2499b6ea3c2d4e9f3bbab7ff12c8a90cac271f732d"},
    {"mceliece6688128pcf", "e62d1d5af05330dc082404f36e69bfb2455ca4b9b3887d9bd81328ea5b929481"},
    {"mceliece6960119", "fd818b38494641a5f2cdedafec06e3919d383d71062f47eec23effa6d333ca62"},
    {"mceliece6960119pc", "a6bcea21f7e5223f19eef5013c1084e90a0e6b1b99e63c209697a5f2ece78fb1"},
    {"mceliece6960119f", "fd818b38494641a5f2cdedafec06e3919d383d71062f47eec23effa6d333ca62"},
    {"mceliece6960119pcf", "a6bcea21f7e5223f19eef5013c1084e90a0e6b1b99e63c209697a5f2ece78fb1"},
    {"mceliece8192128", "2808e75ca0a88b0625a3bb226ac954ed7e33d3853adc5391361aee465720eaad"},
    {"mceliece8192128pc", "a49c7f4e498d626faa5440ae087e49fa4b2d0062e9c925f8a190535d89a2b86c"},
    {"mceliece8192128f", "2808e75ca0a88b0625a3bb226ac954ed7e33d3853adc5391361aee465720eaad"},
    {"mceliece8192128pcf", "a49c7f4e498d626faa5440ae087e49fa4b2d0062e9c925f8a190535d89a2b86c"},
    {"HQC-1-v5.0.0", "d981221d50b41a4313fc3d6a7c5ad1eacc33c0b870679122aed71085ae921f1d"},
    {"HQC-3-v5.0.0", "a3362508b5e95fa8a3347f304423f1de08d421f0e320a0c86d0e74867ab94c35"},
    {"HQC-5-v5.0.0", "5a22e7e3d71d7ec2cc339dfa4f625e587f0732fe333c3938425c7f3b72ce17ea"},
    {"HQC-128-2023", "f35af9ba36af2e05af89f1e18c966081d99f7db454bafd65f5109c335b0c07fd"},
    {"HQC-192-2023", "d6eb819dd3e34b106f5fc3feceaa4ea7d85fea75916b196f19bf6190a3ffd6c4"},
    {"HQC-256-2023", "4434dec995767e49664d5288394e9eb1d6867c3ef4ff3b207f57d820f9774b1d"},
    {"BIKE-L1-v4.2-aes", "3eb5df5864c90ce026126487a8176cf11080b3daf58b100dc91479b32a1fe0d6"},
    {"BIKE-L3-v4.2-aes", "9df1723d52c24311bc66c3e326508cfd51f192811b1fbfe9b9ce6c00ae80612d"},
    {"BIKE-L5-v4.2-aes", "f0c5b9636ab952e755a260474c9a7deb22efcbb6cc836860c0226c21df05aaf1"},
    {"BIKE-L1-v4.2-aes-bind", "b2c675c2b126a1c6086d7ecd716145a0d5aedc45920cbdfce408a5c962a2ed32"},
    {"BIKE-L3-v4.2-aes-bind", "c68c28a4f41af287b16485d9c2120120afcaa3f7a78fef4570e8eb4709b06c9f"},
    {"BIKE-L5-v4.2-aes-bind", "fa2a7e94d34d497d7048251c89fc8d6db75504089433741683cd756ee8e8f4d3"},
    {"BIKE-L1-v4.2-sha3", "478c86848e950a2ad632998a02dbccc7cf341aa40d3411376c16c00154b31d80"},
    {"BIKE-L3-v4.2-sha3", "ddd198c992c4bc5028aba22d90acf28f6b648f5eb3b660e9efadfed241d361ed"},
    {"BIKE-L5-v4.2-sha3", "3a30e1d0cf1f230603ce2bc945fbac10162e8b34aa427361ccabb2243f2e0766"},
    {"BIKE-L1-v4.2-sha3-bind", "ef8b62e684204228a3914a6d933a90808bb7bb71a6a79f9f0178aeb0c7b8692c"},
    {"BIKE-L3-v4.2-sha3-bind", "43418810db29a04f4a1ffc73f3a4567d40931ccbce8cf46a99ae666992bbc386"},
    {"BIKE-L5-v4.2-sha3-bind", "7a78b9a04cfa5816af8e66fac4dbe7c95e8d0d36da39f4faa8f5e0006745fd38"},
    {"SOFIA-4-128",
     "b8adfa8a010b731b009899292c04f377abc113f6e9fd09edb31895fcb56bf636"},  // and "abc"
};

}  // namespace

std::string known_answer(const std::string &kem) {
  for (const auto &answer : answers) {
    if (kem == answer.kem) {
      return answer.digest;
    }
  }
  return "";
}

}  // namespace codekem
